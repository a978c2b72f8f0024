import { excludeDocumentedVariants } from '../build/other-kinds.ts'
import { asNode, isNode, pathOf, valueAt } from '../rules/read/json.ts'
import { loadDocument } from '../src/index.ts'

/** Operations that together contain everything that the tests modify. */
const selected = [
  '/groups/{groupId}/alertConfigs',
  '/groups/{groupId}/alertConfigs/{alertConfigId}',
  '/groups/{groupId}/alerts',
  '/groups/{groupId}/alerts/{alertId}',
  '/groups/{groupId}/dbAccessHistory/clusters/{clusterName}',
  '/api/oauth/token',
]

/** Returns a part of the document for 2023-01-01, which contains a deprecated operation. Tests can modify this copy. */
export function goodDocument(): Record<string, unknown> {
  const whole = loadDocument('2023-01-01')
  const paths = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => selected.includes(path)))
  const document: Record<string, unknown> = { ...whole, paths }
  const used = new Set(Object.values(paths).flatMap(tagsOf))
  document.tags = whole.tags.filter(({ name }) => used.has(name))
  // One description mentions an operation that isn't in this part of the document.
  const own = JSON.parse(JSON.stringify(document).replaceAll('`listMatcherFieldNames`', 'An operation'))
  withFewKinds(asNode(asNode(own.components).schemas).Notification)
  excludeDocumentedVariants(own)
  own.components = usedComponents(own)
  return own
}

/** Keeps only three of the fifteen notification types because this makes the document half as large. */
function withFewKinds(union: unknown): void {
  const { anyOf, discriminator } = asNode(union)
  const isFew = (reference: unknown) => /(Sms|Webhook|Other)Notification$/.test(String(reference))
  const mapping = asNode(asNode(discriminator).mapping)
  for (const [name, target] of Object.entries(mapping)) if (!isFew(target)) delete mapping[name]
  if (Array.isArray(anyOf)) anyOf.splice(0, anyOf.length, ...anyOf.filter(({ $ref }) => isFew($ref)))
}

function tagsOf(item: object): unknown[] {
  return Object.values(item).flatMap((operation) => asNode(operation).tags ?? [])
}

function usedComponents(document: Record<string, unknown>): Record<string, unknown> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, pointer = ''] of JSON.stringify(value ?? null).matchAll(/"(#\/components\/[^"]*)"/g)) {
      if (used.has(pointer)) continue
      used.add(pointer)
      visit(valueAt(document, pathOf(pointer)))
    }
  }
  visit(document.paths)
  const kinds = Object.entries(asNode(document.components)).filter(([, fields]) => isNode(fields))
  return Object.fromEntries(
    kinds.map(([kind, fields]) => [
      kind,
      Object.fromEntries(
        Object.entries(asNode(fields)).filter(
          ([name]) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`),
        ),
      ),
    ]),
  )
}

/** Abbreviations that tests can use instead of long pointers. */
const shorthands: [RegExp, string][] = [
  [/^ALERTS\b/, '/paths/~1groups~1{groupId}~1alerts'],
  [/^ALERT\b/, '/paths/~1groups~1{groupId}~1alerts~1{alertId}'],
  [/^CONFIGS\b/, '/paths/~1groups~1{groupId}~1alertConfigs'],
  [/^CONFIG\b/, '/paths/~1groups~1{groupId}~1alertConfigs~1{alertConfigId}'],
  [/\/OK\b/, '/responses/200/content/V'],
  [/\/V\b/, '/application~1vnd.svc.2023-01-01+json'],
]
export function expand(pointer: string): string {
  return shorthands.reduce((text, [short, long]) => text.replace(short, long), pointer)
}
