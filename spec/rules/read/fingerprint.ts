import { createHash } from 'node:crypto'
import { asNode, fieldsOf, type JsonNode, pathOf, valueAt } from './json.ts'

const cache = new WeakMap<JsonNode, Map<string, string>>()

/**
 * Returns a hash of a schema and of everything that it refers to. Most schemas are the same in several versions, so
 * rules use the hash as a key for cached results.
 */
export function fingerprintOf(root: JsonNode, schema: unknown): string {
  const known = cache.get(root) ?? componentTexts(root)
  cache.set(root, known)
  const hash = createHash('sha1')
  const seen = new Set<string>()
  const add = (text: string): void => {
    hash.update(text)
    for (const [, reference = ''] of text.matchAll(/"(#\/[^"]*)"/g)) {
      if (seen.has(reference)) continue
      seen.add(reference)
      add(known.get(reference) ?? JSON.stringify(valueAt(root, pathOf(reference))) ?? '')
    }
  }
  add(JSON.stringify(schema) ?? '')
  return hash.digest('hex')
}

function componentTexts(root: JsonNode): Map<string, string> {
  const schemas = fieldsOf(asNode(root.components).schemas, [])
  return new Map(schemas.map(({ key, value }) => [`#/components/schemas/${key}`, JSON.stringify(value)]))
}
