/** Parses the text of a body. */
export type ParseJson = (text: string) => unknown

/**
 * Matches quotation marks, the escapes that affect where a string ends, and integers with at least 16 digits,
 * because 2^53 has 16 digits.
 */
const tokens = /\\[\\"]|"|(?<![-+.\deE])-?\d{16}\d*(?![.\deE])/g

/** Replaces each integer that a JavaScript number would round. */
function replaceLarge(text: string, replace: (digits: string) => string): string {
  // Most bodies contain no large integers, and this test is much faster than the replacement.
  if (!/[:[,]\s*-?\d{16}|^\s*-?\d/.test(text)) return text
  let quoted = false
  return text.replace(tokens, (part) => {
    if (part === '"') quoted = !quoted
    return !quoted && /\d$/.test(part) && !Number.isSafeInteger(Number(part)) ? replace(part) : part
  })
}

/**
 * Like `JSON.parse`, but rejects integers that would be rounded.
 *
 * @throws RangeError for an integer larger than 2^53.
 */
export function parseExact(text: string): unknown {
  replaceLarge(text, (digits) => {
    throw new RangeError(`integer ${digits.slice(0, 30)} is above 2^53`)
  })
  return JSON.parse(text)
}

const mark = '\u0000bigint:'

/**
 * Like `JSON.parse`, but returns a `bigint` for each integer above 2^53.
 *
 * @example
 * const client = createClient({ ...options, parseJson: parseBigIntegers })
 */
export function parseBigIntegers(text: string): unknown {
  const marked = replaceLarge(text, (digits) => JSON.stringify(mark + digits))
  if (marked === text) return JSON.parse(text)
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}
