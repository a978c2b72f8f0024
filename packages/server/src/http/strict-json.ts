import { pointerTo, truncatedPointer } from '../domain/json-pointer.ts'
import { problem } from '../domain/problem.ts'

/** Deeper than any document of this kind, shallower than any stack. */
const depthLimit = 64

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON that two readers cannot understand differently: UTF-8, no member twice, no lone surrogate
 * (I-JSON, RFC 7493 §2), no number that only counts as infinite, no member `__proto__`, no text with U+0000, and not
 * deeper than any honest document.
 *
 * @throws {Problem} `INVALID_JSON`, or `VALIDATION_ERROR` for such numbers, `__proto__` and U+0000.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('The request body is not valid JSON.')
  }
  if (fieldsIn(text) !== fieldsOf(value)) {
    checkValues(value)
    nameRepeated(text)
  }
  if (text.includes('\\u')) checkEscapes(text, value)
  return value
}

/** What UTF-8 and JSON allow only in disguise. */
function checkEscapes(text: string, value: unknown): void {
  if (escapedNul.test(text)) {
    throw unfit('A text of the request body holds the character U+0000.', pointerTo(value, hasNul))
  }
  if (!isWellFormed(text, value)) throw invalid('The request body holds half of a surrogate pair.')
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The request body is not UTF-8.')
  }
}

/** How many members a text has that is known to be JSON, after a look at how deep it is. */
function fieldsIn(text: string): number {
  let fields = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === colon) fields += 1
    else if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > depthLimit) throw invalid(`The request body is nested deeper than ${depthLimit} levels.`)
    } else if (code === closeBrace || code === closeBracket) depth -= 1
  }
  return fields
}

/**
 * How many members a value has: fewer than its text if one is there twice, since of those the last counts. No number at
 * all if there is something in it that no value may hold: that is looked for apart.
 */
function fieldsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return isInfinite(value) ? Number.NaN : 0
  if (Object.hasOwn(value, prototype)) return Number.NaN
  const within: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let fields = Array.isArray(value) ? 0 : within.length
  for (const one of within) fields += fieldsOf(one)
  return fields
}

const prototype = '__proto__'

/** Such a number would be kept as `null`. */
const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

/** What JSON allows and nothing here may hold. */
function checkValues(value: unknown): void {
  const field = pointerTo(value, (_, name) => name === prototype)
  if (field !== undefined) throw unfit(`The request body has a member ${prototype}.`, field)
  const number = pointerTo(value, isInfinite)
  if (number !== undefined) {
    throw unfit('The request body has a number beyond the range of IEEE 754 double precision.', number)
  }
}

/** Finds the member that is there twice: most texts have none, so that this is done apart. */
function nameRepeated(text: string): void {
  const names: (Set<string> | undefined)[] = []
  let expectName = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (expectName) addName(names.at(-1), text.slice(at, end + 1))
      expectName = false
      at = end
    } else if (code === openBrace || code === openBracket) {
      names.push(code === openBrace ? new Set() : undefined)
      expectName = code === openBrace
    } else if (code === closeBrace || code === closeBracket) {
      names.pop()
      expectName = false
    } else if (code === comma) expectName = names.at(-1) !== undefined
    else if (code === colon) expectName = false
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at += 1
  }
}

function addName(names: Set<string> | undefined, literal: string): void {
  const name: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
  if (names?.has(name)) throw invalid(`The request body has the member ${name.slice(0, 100)} twice.`)
  names?.add(name)
}

/** PostgreSQL refuses a text with it, and SQLite's driver reads such a text no further; JSON has it only escaped. */
const escapedNul = /(?:^|[^\\])(?:\\\\)*\\u0000/

/** Of a text, or of the name of a member. */
const hasNul = (value: unknown, name: string): boolean =>
  name.includes('\0') || (typeof value === 'string' && value.includes('\0'))

/** Decoded UTF-8 has no lone surrogates; escapes can make them, and serialising leaves only those escaped. */
function isWellFormed(text: string, value: unknown): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return true
  return !/(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}

function unfit(detail: string, pointer = '') {
  return problem('VALIDATION_ERROR', { detail, parameters: [truncatedPointer(pointer)] })
}

/** The fault is the body's as a whole: of what is no JSON no pointer leads to a part. */
function invalid(detail: string) {
  return problem('INVALID_JSON', { detail, parameters: [''] })
}
