/** Where a value is located in a document: the keys and indexes that lead to it. */
export type JsonPath = (string | number)[]
export type JsonNode = Record<string, unknown>

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the value if it is an object, and an empty object otherwise. This prevents rules from throwing for invalid
 * documents.
 */
export function asNode(value: unknown): JsonNode {
  return isNode(value) ? value : {}
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string')
}

export interface Located {
  value: JsonNode
  path: JsonPath
}

/** Returns all objects directly inside an object or array, with their locations. */
export function fieldsOf(value: unknown, path: JsonPath): (Located & { key: string })[] {
  const pairs = Array.isArray(value) ? [...value.entries()] : Object.entries(asNode(value))
  return pairs.flatMap(([key, field]) =>
    isNode(field) ? [{ key: String(key), value: field, path: [...path, key] }] : [],
  )
}

/** Formats a path as a JSON Pointer (RFC 6901 §3). */
export function pointerOf(path: JsonPath): string {
  return `#${path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`
}

const paths = new Map<string, readonly string[]>()

/**
 * Parses a JSON Pointer in a URI fragment (RFC 6901 §6). Results are cached because the same references are resolved
 * many times.
 */
export function pathOf(pointer: string): JsonPath {
  const known = paths.get(pointer) ?? keysOf(pointer)
  paths.set(pointer, known)
  return [...known]
}

function keysOf(pointer: string): string[] {
  const keys = pointer.replace(/^#/, '').split('/').slice(1)
  return keys.map((key) => unescaped(key).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

export function valueAt(document: unknown, path: JsonPath): unknown {
  let value: unknown = document
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
