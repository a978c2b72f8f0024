/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [field: string]: Json
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** The object at a key, or an empty object if the key is missing. */
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

/** Deeper than any API response, but not too deep for the call stack. */
const deepest = 500

/** @param text A valid JSON text. */
const isTooDeep = (text: string): boolean => {
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
 * Parses a text, and returns `undefined` if the text isn't JSON. RFC 8259 §9 allows a depth limit. The kit needs a
 * limit, because validating, comparing and printing values are recursive.
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
 * Returns a body's JSON value. Most responses in a run are identical to an earlier one, so the values of recent texts
 * are cached. This also benefits other caches that use the value as their key.
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

/** Escapes one token of a JSON Pointer (RFC 6901 §3). */
export const escapeToken = (token: string): string =>
  /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token

/** The value at a JSON Pointer. */
export const valueAt = (root: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = root
  for (const token of pointer.split('/').slice(1).map(unescapeToken)) {
    if (isArray(value)) value = value[Number(token)]
    else if (isObject(value)) value = value[token]
    else return undefined
  }
  return value
}

/** A copy of the value in which the value at the given path is replaced, or removed if `value` is `undefined`. */
export const withValue = (root: Json, path: readonly string[], value: Json | undefined): Json => {
  const [key, ...rest] = path
  if (key === undefined) return value ?? null
  if (isArray(root)) {
    return root.map((element, index) => (String(index) === key ? withValue(element, rest, value) : element))
  }
  const { [key]: before = {}, ...others } = isObject(root) ? root : {}
  if (rest.length === 0 && value === undefined) return others
  // The order of the fields stays the same. Every name becomes an own property, even `__proto__`.
  return {
    ...(isObject(root) ? root : {}),
    [key]: rest.length > 0 ? withValue(before, rest, value) : (value ?? null),
  }
}

/** All strings in a value, except property names. */
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

/** A canonical text for a value, on one line and with sorted properties. Equal values have the same text. */
export const canonicalText = (value: Json): string => JSON.stringify(sorted(value))

/** Whether two values are equal, regardless of the order of properties. */
export const sameJson = (one: Json | undefined, other: Json | undefined): boolean =>
  canonicalText(one ?? null) === canonicalText(other ?? null) && (one === undefined) === (other === undefined)

/** A value as one line, truncated for a report. */
export const inspect = (value: unknown, longest = 160): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
