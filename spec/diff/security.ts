import { asList, asNode, asTexts, isNode } from '../rules/read/json.ts'
import type { OperationView } from '../rules/read/operations.ts'
import type { ChangeClass, Collector } from './change.ts'
import type { Comparison, Pair } from './operations.ts'

/** The alternatives that an operation offers, each as its schemes and scopes; none is the empty alternative. */
function alternativesOf(document: unknown, { value }: OperationView): Map<string, Record<string, string[]>> {
  const listed = asList(value.security ?? asNode(document).security).map((each) =>
    Object.fromEntries(
      Object.entries(asNode(each)).map(([scheme, scopes]) => [scheme, asTexts(scopes).sort()]),
    ),
  )
  const alternatives = listed.length > 0 ? listed : [{}]
  return new Map(alternatives.map((each) => [JSON.stringify(Object.entries(each).sort()), each]))
}

export function compareSecurity(pair: Pair, { before, after, collector }: Comparison): void {
  const { newer } = pair
  const [old, now] = [alternativesOf(before, pair.older), alternativesOf(after, newer)]
  for (const [key, alternative] of old) {
    // A caller that satisfies the old alternative is fine where some new one asks for no more.
    const isServed = [...now.values()].some((each) => asksNoMore(each, alternative))
    if (!now.has(key) && !isServed)
      collector.add(
        'breaking',
        'security-removed',
        newer.path,
        `${told(alternative)} no longer suffices.`,
        newer.id,
      )
  }
  for (const [key, alternative] of now)
    if (!old.has(key)) {
      const text = `${told(alternative)} suffices.`
      collector.add('additive', 'security-added', newer.path, text, newer.id)
    }
}

function asksNoMore(asked: Record<string, string[]>, given: Record<string, string[]>): boolean {
  return Object.entries(asked).every(([scheme, scopes]) => {
    const has = given[scheme]
    return has !== undefined && scopes.every((scope) => has.includes(scope))
  })
}

function told(alternative: Record<string, string[]>): string {
  const schemes = Object.entries(alternative).map(([name, scopes]) => [name, ...scopes].join(' '))
  return schemes.join(' with ') || 'No credential'
}

/** Compares the schemes themselves, as far as they say how credentials are sent. */
export function compareSchemes(before: unknown, after: unknown, collector: Collector): void {
  const [old, now] = [before, after].map((document) =>
    asNode(asNode(asNode(document).components).securitySchemes),
  )
  for (const [name, scheme] of Object.entries(old ?? {})) {
    const path = ['components', 'securitySchemes', name]
    const same = now?.[name]
    if (!isNode(same))
      collector.add('breaking', 'security-scheme-removed', path, `The scheme ${name} is gone.`)
    else if (JSON.stringify(bare(scheme)) !== JSON.stringify(bare(same)))
      collector.add('breaking', 'security-scheme-changed', path, `The scheme ${name} works differently.`)
  }
  for (const name of Object.keys(now ?? {})) {
    const kind: ChangeClass = 'additive'
    if (!Object.hasOwn(old ?? {}, name))
      collector.add(
        kind,
        'security-scheme-added',
        ['components', 'securitySchemes', name],
        `The scheme ${name} is new.`,
      )
  }
}

function bare(scheme: unknown): unknown {
  return Object.entries(asNode(scheme))
    .filter(([key]) => key !== 'description' && !key.startsWith('x-'))
    .sort()
}
