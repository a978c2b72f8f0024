/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [field: string]: Json
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** Returns the object at a key, or an empty object if there is none. */
export const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const field = isObject(value) ? value[key] : undefined
  return isObject(field) ? field : {}
}

export const stringAt = (value: Json | undefined, key: string): string | undefined => {
  const field = isObject(value) ? value[key] : undefined
  return typeof field === 'string' ? field : undefined
}

export const numberAt = (value: Json | undefined, key: string): number | undefined => {
  const field = isObject(value) ? value[key] : undefined
  return typeof field === 'number' ? field : undefined
}

export const listAt = (value: Json | undefined, key: string): readonly Json[] => {
  const field = isObject(value) ? value[key] : undefined
  return isArray(field) ? field : []
}

/**
 * The maximum depth of a JSON value. API responses are never nested that deeply, and the call stack can handle this
 * depth.
 */
const deepest = 500

/** @param text Must be valid JSON. */
const isTooDeep = (text: string): boolean => {
  if ((text.match(/[[{]/g)?.length ?? 0) <= deepest) return false
  let [depth, quoted] = [0, false]
  for (let at = 0; at < text.length && depth <= deepest; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > deepest
}

/**
 * Parses a text. Returns `undefined` if the text isn't JSON or is nested too deeply. RFC 8259 §9 allows a
 * depth limit, and the kit needs one because it validates, compares and prints values recursively.
 */
export const parseJson = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return text.length > deepest && isTooDeep(text) ? undefined : value
  } catch {
    return undefined
  }
}

const parsed = new Map<string, Json | undefined>()
const maxParsed = 200

/**
 * Returns a body's JSON value. Most responses in a run are identical to earlier responses, so recent values are cached.
 * Equal bodies then share one value, and other caches use this value as a key.
 */
export const jsonBody = ({ body }: { readonly body: string }): Json | undefined => {
  if (parsed.has(body)) return parsed.get(body)
  const value = parseJson(body)
  parsed.set(body, value)
  const [oldest] = parsed.keys()
  if (parsed.size > maxParsed && oldest !== undefined) parsed.delete(oldest)
  return value
}

const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token

/** Escapes a token of a JSON Pointer (RFC 6901 §3). */
export const escapeToken = (token: string): string =>
  /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token

/** Returns the value at a JSON Pointer. */
export const valueAt = (root: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = root
  for (const token of pointer.split('/').slice(1).map(unescapeToken)) {
    if (isArray(value)) value = value[Number(token)]
    else if (isObject(value)) value = value[token]
    else return undefined
  }
  return value
}

/** Returns a copy with another value at the given path. If `value` is `undefined`, the field is removed. */
export const withValue = (root: Json, path: readonly string[], value: Json | undefined): Json => {
  const [key, ...rest] = path
  if (key === undefined) return value ?? null
  if (isArray(root)) {
    return root.map((element, index) => (String(index) === key ? withValue(element, rest, value) : element))
  }
  const { [key]: before = {}, ...others } = isObject(root) ? root : {}
  if (rest.length === 0 && value === undefined) return others
  // Keep the order of the fields. Every name becomes an own property, even `__proto__`.
  return {
    ...(isObject(root) ? root : {}),
    [key]: rest.length > 0 ? withValue(before, rest, value) : (value ?? null),
  }
}

/** Returns all strings in a value, except property names. */
export const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const sorted = (value: Json): Json => {
  if (isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, field]) => [key, sorted(field)]))
}

/** Returns a value as JSON on one line with sorted properties, so that equal values produce the same string. */
export const canonicalText = (value: Json): string => JSON.stringify(sorted(value))

/** Returns whether two values are equal. The order of properties doesn't matter. */
export const sameJson = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other ||
  (canonicalText(one ?? null) === canonicalText(other ?? null) &&
    (one === undefined) === (other === undefined))

/** Returns a value on one line, truncated for reports. */
export const inspect = (value: unknown, longest = 160): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
