import { basename } from 'node:path'
import { asNode, asText, isNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import { methods } from '../rules/read/operations.ts'

/** The document to check. If the file contains only a part of a document, the part is wrapped in a minimal document. */
export interface Read {
  document: unknown
  /** Where the file's content is located in `document`. Empty if the file contains a complete document. */
  at: JsonPath
  /**
   * Whether the document is incomplete, because the file contains only a part of it or refers to other files. If so,
   * only rules with `readsSingleNodes` apply.
   */
  partial: boolean
}

const cache = new WeakMap<JsonNode, Read>()

/**
 * Reads a file that contains a complete document, a document that refers to path items in other files, or only a part
 * of a document.
 */
export function readFile(content: unknown, file: string): Read {
  if (!isNode(content)) return { document: content, at: [], partial: false }
  const known = cache.get(content) ?? wrap(content, file)
  cache.set(content, known)
  return known
}

function wrap(content: JsonNode, file: string): Read {
  const at = placeOf(content, basename(file).replace(/\.\w+$/, ''))
  if (!at) return { document: content, at: [], partial: refersToFiles(content) }
  const document = at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), content)
  return { document, at, partial: true }
}

/**
 * Returns the location in a document where a file's content belongs. Returns `undefined` if the file contains a
 * complete document or if its content is unknown.
 */
export function placeOf(content: unknown, name: string): string[] | undefined {
  if (!isNode(content) || 'openapi' in content || 'swagger' in content) return undefined
  if (methods.some((method) => isNode(content[method]))) return ['paths', `/${name}`]
  if ('in' in content && 'name' in content) return ['components', 'parameters', name]
  if ('content' in content && 'description' in content) return ['components', 'responses', name]
  return schemaKeywords.some((keyword) => keyword in content) ? ['components', 'schemas', name] : undefined
}

const schemaKeywords = ['type', 'properties', 'anyOf', 'oneOf', 'allOf', 'enum', 'const']

function refersToFiles(document: JsonNode): boolean {
  const items = Object.values(asNode(document.paths))
  return items.some((item) => /^[^#]/.test(asText(asNode(item).$ref)))
}
