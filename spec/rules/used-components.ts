import { asList, asNode, asText, fieldsOf, isNode } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'used-components',
  message:
    "every component must be used by an operation. Unlike in Spectral and Redocly, references from other unused components don't count.",
  why: "Unused components suggest features that the API doesn't have, and code generators create code for these components.",
  scope: 'any',
  given: wholeDocument,
  function(document) {
    const root = asNode(document)
    const components = asNode(root.components)
    const used = reached(root, components)
    return Object.keys(components)
      .filter((kind) => !kind.startsWith('x-') && kind !== 'securitySchemes')
      .flatMap((kind) => fieldsOf(components[kind], ['components', kind]))
      .filter(({ path }) => !used.has(`#/${path.join('/')}`))
      .map(({ key, path }) => ({ message: `${key} is unused`, path }))
      .concat(unusedSchemes(root))
  },
}

function reached(root: Record<string, unknown>, components: Record<string, unknown>): Set<string> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    for (const item of asList(value)) visit(item)
    if (!isNode(value)) return
    for (const reference of [value.$ref, ...Object.values(mappingOf(value))]) enter(asText(reference))
    for (const child of Object.values(value)) visit(child)
  }
  const enter = (reference: string): void => {
    if (!reference.startsWith('#/components/') || used.has(reference)) return
    used.add(reference)
    const [, , kind = '', name = ''] = reference.split('/')
    visit(asNode(components[kind])[name])
  }
  for (const name of ['paths', 'webhooks']) visit(root[name])
  return used
}

function mappingOf(value: Record<string, unknown>): Record<string, unknown> {
  return asNode(asNode(value.discriminator).mapping)
}

function unusedSchemes(root: Record<string, unknown>) {
  const requirements = [root, ...fieldsOf(root.paths, []).flatMap(({ value }) => Object.values(value))]
  const named = requirements.flatMap((each) =>
    asList(asNode(each).security).flatMap((item) => Object.keys(asNode(item))),
  )
  return fieldsOf(asNode(root.components).securitySchemes, ['components', 'securitySchemes'])
    .filter(({ key }) => !named.includes(key))
    .map(({ key, path }) => ({ message: `security scheme ${key} is unused`, path }))
}
