import { createContext, Script } from 'node:vm'
import { textIn } from './typed-fields.ts'

/** A condition in an alert configuration that an event must satisfy. All fields are optional in the schema. */
export interface Matcher {
  readonly fieldName?: string
  readonly operator?: string
  readonly value?: string
}

/** An event's values, keyed by matcher field name. */
export type EventFields = Readonly<Record<string, string>>

type Compare = (actual: string, wanted: string, patience: number) => boolean

const expression = 'REGEX'

const comparisons: Readonly<Record<string, Compare>> = {
  EQUALS: (actual, wanted) => actual === wanted,
  CONTAINS: (actual, wanted) => actual.includes(wanted),
  STARTS_WITH: (actual, wanted) => actual.startsWith(wanted),
  ENDS_WITH: (actual, wanted) => actual.endsWith(wanted),
  [expression]: fits,
}

/** The operators that negate another operator. Negated operators also match events that don't contain the field. */
const negations: Readonly<Record<string, (actual: string, wanted: string) => boolean>> = {
  NOT_EQUALS: (actual, wanted) => actual !== wanted,
  NOT_CONTAINS: (actual, wanted) => !actual.includes(wanted),
}

export const matcherOperators: readonly string[] = [...Object.keys(comparisons), ...Object.keys(negations)]

/**
 * Returns whether an event matches a matcher. If the matcher has no field, operator or value, every event matches. If
 * the matcher's operator is unknown, no event matches.
 *
 * @param patience The timeout for a regular expression, in milliseconds.
 */
export function matches(matcher: Matcher, fields: EventFields, patience: number): boolean {
  const [fieldName, operator, value] = [matcher.fieldName, matcher.operator, matcher.value].map(textIn)
  if (fieldName === undefined || operator === undefined || value === undefined) return true
  const actual = Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined
  const negation = Object.hasOwn(negations, operator) ? negations[operator] : undefined
  if (negation) return actual === undefined || negation(actual, value)
  const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  return actual === undefined ? false : (comparison?.(actual, value, patience) ?? false)
}

/** Returns whether a matcher uses a regular expression. Regular expressions may be slow, because users write them. */
export const isExpression = ({ operator }: Matcher): boolean => operator === expression

const attempts = 5
const sandbox: { pattern: string; text: string } = { pattern: '', text: '' }
const context = createContext(sandbox)
/**
 * Tests the pattern with the `u` flag, or without the flag if the pattern is invalid with it. With the `u` flag,
 * unnecessary escapes such as `orders\-eu` are invalid. Without the `u` flag, `\p{L}` and characters above U+FFFF are
 * misinterpreted.
 */
const test = new Script(`{
  let compiled
  try {
    compiled = new RegExp(pattern, 'u')
  } catch {
    compiled = new RegExp(pattern)
  }
  compiled.test(text)
}`)

/**
 * Returns whether a text matches a pattern, or false if the timeout is reached. The timeout is needed because a user's
 * pattern can backtrack almost indefinitely.
 */
function fits(text: string, pattern: string, patience: number): boolean {
  sandbox.pattern = pattern
  sandbox.text = text
  return unlessStarved(
    () => test.runInContext(context, { timeout: patience }) === true,
    () => process.cpuUsage().user / 1000,
    patience,
  )
}

/**
 * Runs an attempt and returns its result, or false if the attempt times out. V8 measures wall-clock time, so an attempt
 * on a busy machine can time out before it gets any CPU time. Repeats an attempt if it didn't get enough CPU time.
 *
 * @param spent Returns the CPU time used so far, in milliseconds.
 * @param patience The timeout for each attempt, in milliseconds.
 */
export function unlessStarved(attempt: () => boolean, spent: () => number, patience: number): boolean {
  for (let left = attempts; left > 0; left -= 1) {
    const before = spent()
    try {
      return attempt()
    } catch (error) {
      const timedOut = Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      if (!timedOut || spent() - before >= patience / 2) return false
    }
  }
  return false
}
