import { limits } from '@svc-admin/types'
import { pointerTo, truncatedPointer } from '../domain/json-pointer.ts'
import { problem } from '../domain/problem.ts'

/**
 * The maximum nesting depth. Valid documents are never nested this deeply, and parsing at this depth doesn't overflow
 * the call stack.
 */
const depthLimit = limits.body.depth

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
 * Parses JSON strictly, rejecting texts that other parsers could interpret differently. Rejects invalid UTF-8, repeated
 * property names, lone surrogates (I-JSON, RFC 7493 §2), number overflows, integers that would be rounded, properties
 * named `__proto__`, strings that contain U+0000, and deep nesting.
 *
 * @throws {Problem} `VALIDATION_ERROR` for numbers that overflow or would be rounded, `__proto__` and U+0000, or
 *   `INVALID_JSON` in all other cases.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidJson('The request body is not valid JSON.')
  }
  if (fieldsIn(text) !== fieldsOf(value)) {
    checkValues(value)
    rejectRepeatedName(text)
  }
  if (text.includes('\\u')) checkEscapes(text, value)
  if (manyDigits.test(text)) checkIntegers(text, value)
  return value
}

/** Checks a text for characters that can occur in valid JSON only as escape sequences. */
function checkEscapes(text: string, value: unknown): void {
  if (escapedNul.test(text)) {
    throw invalidValue(
      'A string in the request body contains the character U+0000.',
      pointerTo(value, hasNul),
    )
  }
  if (!isWellFormed(text, value)) throw invalidJson('The request body contains an unpaired surrogate.')
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalidJson('The request body is not UTF-8.')
  }
}

/** Counts the properties in a valid JSON text and checks the nesting depth. */
function fieldsIn(text: string): number {
  let fields = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === colon) fields += 1
    else if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > depthLimit)
        throw invalidJson(`The request body is nested deeper than ${depthLimit} levels.`)
    } else if (code === closeBrace || code === closeBracket) depth -= 1
  }
  return fields
}

/**
 * Counts the properties in a parsed value. If the text contains more properties than the value, a property is repeated,
 * because parsing keeps only the last one. Returns NaN if a value requires a detailed check.
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

/** Returns whether a value is infinite. JSON would represent infinite numbers as `null`. */
const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

/** Rejects values that are valid JSON but can't be stored. */
function checkValues(value: unknown): void {
  const field = pointerTo(value, (_, name) => name === prototype)
  if (field !== undefined) throw invalidValue(`The request body contains a field named ${prototype}.`, field)
  const number = pointerTo(value, isInfinite)
  if (number !== undefined) {
    throw invalidValue(
      'The request body contains a number outside the range of IEEE 754 double precision.',
      number,
    )
  }
}

/** Matches 16 digits. A double can exactly represent all integers with fewer than 16 digits. */
const manyDigits = /\d{16}/
const integer = /^-?\d{16,}$/
/** Matches a string or a number in valid JSON. */
const literals = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Rejects integers that would be rounded, because the stored number would be different. Clients can't rely on numbers
 * with more than double precision (RFC 7493 §2.2).
 */
function checkIntegers(text: string, value: unknown): void {
  for (const [literal] of text.matchAll(literals)) {
    if (!integer.test(literal)) continue
    const number = Number(literal)
    // The shortest notation of a double may differ from its exact value.
    if (literal === String(number) || BigInt(literal) === BigInt(number)) continue
    throw invalidValue(
      `The integer ${literal.slice(0, 100)} in the request body would be rounded to ${number}. ` +
        'Send the integer as a string, or use an integer that IEEE 754 double precision can represent.',
      pointerTo(value, (one) => one === number),
    )
  }
}

/**
 * Finds the repeated property. Repeated properties are rare, so this function is separate from the one that counts
 * properties.
 */
function rejectRepeatedName(text: string): void {
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
  if (names?.has(name))
    throw invalidJson(`The request body contains the field ${name.slice(0, 100)} more than once.`)
  names?.add(name)
}

/**
 * Matches U+0000, which is always escaped in JSON. PostgreSQL rejects this character, and the SQLite driver would
 * truncate the text there.
 */
const escapedNul = /(?:^|[^\\])(?:\\\\)*\\u0000/

/** Checks both property names and string values. */
const hasNul = (value: unknown, name: string): boolean =>
  name.includes('\0') || (typeof value === 'string' && value.includes('\0'))

/**
 * Returns whether a text has no lone surrogates. Decoded UTF-8 never contains lone surrogates, but escape sequences can
 * produce them. `JSON.stringify` escapes only lone surrogates.
 */
function isWellFormed(text: string, value: unknown): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return true
  return !/(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}

function invalidValue(detail: string, pointer = '') {
  return problem('VALIDATION_ERROR', { detail, parameters: [truncatedPointer(pointer)] })
}

/**
 * Creates an error for invalid JSON. The error's pointer refers to the whole body, because invalid JSON has no fields.
 */
function invalidJson(detail: string) {
  return problem('INVALID_JSON', { detail, parameters: [''] })
}
