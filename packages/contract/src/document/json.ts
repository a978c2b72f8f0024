/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [field: string]: Json
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** The object under a key, or an empty one. */
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

/** Deeper than any answer of the API, and far from the end of any stack. */
const deepest = 500

/** @param text that is known to be JSON. */
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
 * The JSON value of a text, or `undefined` when it is none. To whoever reads, RFC 8259 §9 leaves how deep it may be: what
 * judges it, compares it and writes it down calls itself for each level.
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
const mostParsed = 200

/**
 * The JSON value of a body. Most answers of a run are one that came before, letter by letter: the latest texts keep
 * their values, and what was found out about a value holds for the next of the same text.
 */
export const jsonBody = ({ body }: { readonly body: string }): Json | undefined => {
  if (parsed.has(body)) return parsed.get(body)
  const value = parseJson(body)
  parsed.set(body, value)
  const [oldest] = parsed.keys()
  if (parsed.size > mostParsed && oldest !== undefined) parsed.delete(oldest)
  return value
}

const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token

/** One step of a JSON Pointer (RFC 6901 §3). */
export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1')

/** The value that a JSON Pointer names. */
export const valueAt = (root: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = root
  for (const token of pointer.split('/').slice(1).map(unescapeToken)) {
    if (isArray(value)) value = value[Number(token)]
    else if (isObject(value)) value = value[token]
    else return undefined
  }
  return value
}

/** A copy with the value under a path of keys replaced, or removed when `value` is `undefined`. */
export const withValue = (root: Json, path: readonly string[], value: Json | undefined): Json => {
  const [key, ...rest] = path
  if (key === undefined) return value ?? null
  if (isArray(root)) {
    return root.map((element, index) => (String(index) === key ? withValue(element, rest, value) : element))
  }
  const { [key]: before = {}, ...others } = isObject(root) ? root : {}
  if (rest.length === 0 && value === undefined) return others
  // Where the member stood, it stays; a member of any name, `__proto__` too, is one of its own.
  return {
    ...(isObject(root) ? root : {}),
    [key]: rest.length > 0 ? withValue(before, rest, value) : (value ?? null),
  }
}

/** Every string that stands in a value as a member or an element, the names of members apart. */
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

/** The text of a value that every value has which is the same: on one line, members in one order. */
export const canonicalText = (value: Json): string => JSON.stringify(sorted(value))

/** Whether two values are the same, whatever the order of members. */
export const sameJson = (one: Json | undefined, other: Json | undefined): boolean =>
  canonicalText(one ?? null) === canonicalText(other ?? null) && (one === undefined) === (other === undefined)

/** A value on one line, cut to a length that a report can bear. */
export const inspect = (value: unknown, longest = 160): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
