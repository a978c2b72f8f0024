import { createContext, Script } from 'node:vm'
import { textIn } from './typed-fields.ts'

/** What an alert configuration asks of an event. Its shape is open: members may be missing. */
export interface Matcher {
  readonly fieldName?: string
  readonly operator?: string
  readonly value?: string
}

/** What an event says about itself, by matcher field name. */
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

/** The operators that hold where another does not, also for a field that the event does not have. */
const negations: Readonly<Record<string, (actual: string, wanted: string) => boolean>> = {
  NOT_EQUALS: (actual, wanted) => actual !== wanted,
  NOT_CONTAINS: (actual, wanted) => !actual.includes(wanted),
}

/** The operators that matchers are compared with. */
export const matcherOperators: readonly string[] = [...Object.keys(comparisons), ...Object.keys(negations)]

/**
 * Whether a matcher lets an event through. One without a field, an operator or a value asks nothing; an operator that is
 * not known here lets nothing through.
 *
 * @param patience milliseconds that an expression may take.
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

/** Whether it takes an expression to tell: these come from a user, and may take long. */
export const isExpression = ({ operator }: Matcher): boolean => operator === expression

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
 * What an attempt comes to, and false if it fails. V8 looks at the wall's clock: on a machine that is busy elsewhere the
 * time may be over before the attempt had any, and then it has another.
 *
 * @param spent milliseconds of processor time so far.
 * @param patience milliseconds that an attempt has.
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
