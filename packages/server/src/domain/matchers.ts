import { createContext, Script } from 'node:vm'
import { objectsIn, textIn } from './open-members.ts'

/** What an alert configuration asks of an event. Its shape is open: members may be missing. */
export interface Matcher {
  readonly fieldName?: string
  readonly operator?: string
  readonly value?: string
}

/** What an event says about itself, by matcher field name. */
export type EventFields = Readonly<Record<string, string>>

type Compare = (actual: string, wanted: string) => boolean

const comparisons: Readonly<Record<string, Compare>> = {
  EQUALS: (actual, wanted) => actual === wanted,
  CONTAINS: (actual, wanted) => actual.includes(wanted),
  STARTS_WITH: (actual, wanted) => actual.startsWith(wanted),
  ENDS_WITH: (actual, wanted) => actual.endsWith(wanted),
  REGEX: fits,
}

/** The operators that hold where another does not, also for a field that the event does not have. */
const negations: Readonly<Record<string, Compare>> = {
  NOT_EQUALS: (actual, wanted) => actual !== wanted,
  NOT_CONTAINS: (actual, wanted) => !actual.includes(wanted),
}

/** The operators that matchers are compared with. */
export const matcherOperators: readonly string[] = [...Object.keys(comparisons), ...Object.keys(negations)]

/**
 * Whether every matcher lets the event through. One without a field, an operator or a value asks nothing; an
 * operator that is not known here lets nothing through.
 */
export function matches(matchers: readonly Matcher[], fields: EventFields): boolean {
  return objectsIn(matchers).every((matcher) => {
    const [fieldName, operator, value] = [matcher.fieldName, matcher.operator, matcher.value].map(textIn)
    if (fieldName === undefined || operator === undefined || value === undefined) return true
    const actual = Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined
    const negation = Object.hasOwn(negations, operator) ? negations[operator] : undefined
    if (negation) return actual === undefined || negation(actual, value)
    const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
    return actual === undefined ? false : (comparison?.(actual, value) ?? false)
  })
}

const limitMilliseconds = 20
const attempts = 5
const sandbox: { pattern: string; text: string } = { pattern: '', text: '' }
const context = createContext(sandbox)
// With `u`, needless escapes such as `orders\-eu` are errors; without it `\p{L}` and what is beyond 16 bits are misread.
const test = new Script(`{
  let compiled
  try {
    compiled = new RegExp(pattern, 'u')
  } catch {
    compiled = new RegExp(pattern)
  }
  compiled.test(text)
}`)

/** The pattern comes from a user and may backtrack for ever: V8 stops it, and it counts as no match. */
function fits(text: string, pattern: string): boolean {
  sandbox.pattern = pattern
  sandbox.text = text
  return unlessStarved(
    () => test.runInContext(context, { timeout: limitMilliseconds }) === true,
    () => process.cpuUsage().user / 1000,
  )
}

/**
 * What an attempt comes to, and false if it fails. V8 looks at the wall's clock: on a machine that is busy elsewhere the
 * time may be over before the attempt had any, and then it has another.
 *
 * @param spent milliseconds of processor time so far.
 */
export function unlessStarved(attempt: () => boolean, spent: () => number): boolean {
  for (let left = attempts; left > 0; left -= 1) {
    const before = spent()
    try {
      return attempt()
    } catch (error) {
      const timedOut = Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      if (!timedOut || spent() - before >= limitMilliseconds / 2) return false
    }
  }
  return false
}
