import { escapeToken, inspect, isArray, isObject, type Json } from './json.ts'

/**
 * A location where two values differ. If the location exists in only one of the values, `actual` or `expected` is
 * `undefined`.
 */
interface Difference {
  /** The location as a JSON Pointer. */
  readonly at: string
  readonly actual: Json | undefined
  readonly expected: Json | undefined
}

export interface ContrastOptions {
  /** Whether the actual value may have properties that the expected value doesn't have. */
  readonly mayHaveMore?: boolean
  /** The maximum length of values that are shown in full. */
  readonly longest?: number
}

const differencesOf = (
  actual: Json | undefined,
  expected: Json | undefined,
  mayHaveMore: boolean,
  at = '',
): Difference[] => {
  if (isArray(actual) && isArray(expected))
    return Array.from({ length: Math.max(actual.length, expected.length) }).flatMap((_, index) =>
      differencesOf(actual[index], expected[index], mayHaveMore, `${at}/${index}`),
    )
  if (isObject(actual) && isObject(expected)) {
    const names = new Set([...Object.keys(expected), ...(mayHaveMore ? [] : Object.keys(actual))])
    const own = (value: typeof actual, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
    return [...names].flatMap((name) =>
      differencesOf(own(actual, name), own(expected, name), mayHaveMore, `${at}/${escapeToken(name)}`),
    )
  }
  return actual === expected ? [] : [{ at, actual, expected }]
}

/** The maximum number of differences in a message. More differences would make the message hard to read. */
const maxDifferences = 5

/**
 * The maximum number of characters to show from a long value, and the number of them that precede the first difference.
 */
const [shortest, before] = [60, 15]

/** Returns the index at which two strings first differ. */
const parting = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at
  return length
}

/** Returns the part of a value around its first difference, with ellipses where text is left out. */
const excerpt = (value: Json | undefined, from: number): string => {
  const text = inspect(value, Number.POSITIVE_INFINITY)
  const start = text.length <= shortest || from <= before ? 0 : from - before
  const end = start + shortest
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

const describeValues = (differences: readonly Difference[], side: 'actual' | 'expected'): string => {
  const shown = differences.slice(0, maxDifferences).map(({ at, actual, expected }) => {
    const from = parting(
      inspect(actual, Number.POSITIVE_INFINITY),
      inspect(expected, Number.POSITIVE_INFINITY),
    )
    return `${at} ${excerpt(side === 'actual' ? actual : expected, from)}`.trim()
  })
  const more = differences.length - shown.length
  return shown.join(', ') + (more > 0 ? `, and ${more} more` : '')
}

/**
 * Briefly describes how two values differ. Short values are shown in full. For long values, only the differences are
 * shown, because truncated values could look the same.
 */
export const contrast = (
  actual: Json | undefined,
  expected: Json | undefined,
  { mayHaveMore = false, longest = 160 }: ContrastOptions = {},
): { readonly actual: string; readonly expected: string } => {
  const whole = { actual: inspect(actual, longest + 1), expected: inspect(expected, longest + 1) }
  if (whole.actual.length <= longest && whole.expected.length <= longest) return whole
  const differences = differencesOf(actual, expected, mayHaveMore)
  return {
    actual: describeValues(differences, 'actual'),
    expected: `with ${describeValues(differences, 'expected')}`,
  }
}
