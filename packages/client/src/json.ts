/** Parses the text of a body. */
export type ParseJson = (text: string) => unknown

/** Matches strings, to skip them, and numbers. */
const token = /"(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*/g

/**
 * Replaces each integer that a JavaScript number would round. 2^53 has 16 digits, so most texts contain none.
 */
function replaceLarge(text: string, replace: (digits: string) => string): string {
  if (!/\d{16}/.test(text)) return text
  return text.replace(token, (part) =>
    /^-?\d{16,}$/.test(part) && !Number.isSafeInteger(Number(part)) ? replace(part) : part,
  )
}

/**
 * `JSON.parse` that rejects integers it would have to round.
 *
 * @throws RangeError for an integer above 2^53.
 */
export function parseExact(text: string): unknown {
  replaceLarge(text, (digits) => {
    throw new RangeError(`integer ${digits} is above 2^53`)
  })
  return JSON.parse(text)
}

const mark = '\u0000bigint:'

/**
 * `JSON.parse` that returns a `bigint` for each integer above 2^53.
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
