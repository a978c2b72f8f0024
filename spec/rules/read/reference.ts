import { asNode, asText, isNode, type JsonPath, type Located, pathOf, valueAt } from './json.ts'

const longestChain = 20

/**
 * Resolves a local `$ref`. Also resolves the target if it is another `$ref`. Returns an empty object if a target
 * doesn't exist.
 */
export function follow(document: unknown, value: unknown, path: JsonPath): Located {
  let found: Located = { value: asNode(value), path }
  for (let step = 0; step < longestChain; step += 1) {
    const reference = asText(found.value.$ref)
    if (!reference.startsWith('#/')) return found
    const target = pathOf(reference)
    const next = valueAt(document, target)
    found = { value: asNode(next), path: target }
  }
  return found
}

/**
 * Merges a schema with the target of its `$ref`. If both have the same keyword, the schema's own keyword takes
 * precedence. In JSON Schema 2020-12, keywords next to `$ref` have an effect (§8.2.3.1), but Spectral's resolved
 * document doesn't contain them. Rules therefore use the unresolved document and this function.
 */
export function effective(document: unknown, schema: unknown): Record<string, unknown> {
  let merged = asNode(schema)
  for (let step = 0; step < longestChain && typeof merged.$ref === 'string'; step += 1) {
    const { $ref, ...own } = merged
    const target = valueAt(document, pathOf(asText($ref)))
    if (!isNode(target)) return own
    merged = { ...target, ...own }
  }
  return merged
}

export function referredName(value: unknown): string | undefined {
  return asText(asNode(value).$ref).split('/').at(-1) || undefined
}
