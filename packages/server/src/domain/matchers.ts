import { createContext, Script } from 'node:vm'

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
  return matchers.every(({ fieldName, operator, value }) => {
    if (fieldName === undefined || operator === undefined || value === undefined) return true
    const actual = Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined
    const negation = Object.hasOwn(negations, operator) ? negations[operator] : undefined
    if (negation) return actual === undefined || negation(actual, value)
    const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
    return actual === undefined ? false : (comparison?.(actual, value) ?? false)
  })
}

const limitMilliseconds = 20
/** V8 looks at the wall's clock: on a machine that is busy elsewhere the time may be over before it began. */
const attempts = 5
const sandbox: { pattern: string; text: string } = { pattern: '', text: '' }
const context = createContext(sandbox)
const test = new Script('new RegExp(pattern, "u").test(text)')

/** The pattern comes from a user and may backtrack for ever: V8 stops it, and it counts as no match. */
function fits(text: string, pattern: string): boolean {
  sandbox.pattern = pattern
  sandbox.text = text
  for (let attempt = 1; ; attempt += 1) {
    const [began, before] = [performance.now(), process.cpuUsage()]
    try {
      return test.runInContext(context, { timeout: limitMilliseconds }) === true
    } catch {
      // A pattern that is none fails at once.
      const used = process.cpuUsage(before).user / 1000
      const starved = performance.now() - began >= limitMilliseconds && used < limitMilliseconds / 2
      if (!starved || attempt === attempts) return false
    }
  }
}
