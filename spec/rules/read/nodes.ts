import { namedFields } from '../../src/model.ts'
import { isNode, type JsonPath, type Located } from './json.ts'

/** Keywords that contain API data, such as examples, instead of a description of the API. */
const data = new Set([
  'example',
  'examples',
  'value',
  'default',
  'const',
  'enum',
  'x-known-values',
  'mapping',
])

const cache = new WeakMap<object, Located[]>()

/** Returns every object in a document that describes the API. Examples and other API data are excluded. */
export function nodesIn(document: unknown): Located[] {
  if (!isNode(document)) return []
  const known = cache.get(document)
  if (known) return known
  const found: Located[] = []
  const visit = (value: unknown, path: JsonPath, names: boolean): void => {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) visit(item, [...path, index], false)
    if (!isNode(value)) return
    found.push({ value, path })
    for (const [key, child] of Object.entries(value))
      if (names || !data.has(key)) visit(child, [...path, key], !names && namedFields.has(key))
  }
  visit(document, [], false)
  cache.set(document, found)
  return found
}
