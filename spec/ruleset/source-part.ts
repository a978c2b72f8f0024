import { basename } from 'node:path'
import { asNode, asText, isNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import { methods } from '../rules/read/operations.ts'

/** The document that the rules read, and the linted file's location in this document. */
export interface Read {
  document: unknown
  /** The path of the file's content in `document`. Empty if the file is a complete document. */
  at: JsonPath
  /** Whether the file refers to other files. If so, only rules that read single nodes apply. */
  partial: boolean
}

const cache = new WeakMap<JsonNode, Read>()

/** Reads a complete document, an index of path items in other files, or a file with one of its parts. */
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
 * Returns the location of a file's content in a document. Returns `undefined` for a complete document and for unknown
 * content.
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
