import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type EventFields, isExpression, type Matcher, matches } from '../domain/matchers.ts'

/** Evaluates matchers against an event, evaluating identical matchers only once. */
export interface MatcherEvaluator {
  /** Evaluates the matchers. Yields to the event loop between regular expressions, because they can be slow. */
  evaluate(matchers: readonly Matcher[]): Promise<void>
  /** Returns the result, or undefined if the matchers haven't been evaluated. */
  resultOf(matchers: readonly Matcher[]): boolean | undefined
}

/**
 * Time limits in milliseconds for a single expression (`expression`) and for all expressions of an event (`event`).
 * After an event reaches its time limit, each remaining expression has a limit of `afterwards` milliseconds, which is
 * enough unless the expression backtracks.
 */
const timeLimits = { expression: 20, event: 1000, afterwards: 2 }

interface EvaluatorOptions {
  readonly matches: typeof matches
  /** Returns the current time of a monotonic clock, in milliseconds. */
  readonly time: () => number
}

export function createMatcherEvaluator(
  fields: EventFields,
  { matches: evaluateMatcher, time }: EvaluatorOptions = { matches, time: () => performance.now() },
): MatcherEvaluator {
  const results = new Map<string, boolean>()
  let left = timeLimits.event
  const evaluateOne = async (matcher: Matcher): Promise<boolean> => {
    if (!isExpression(matcher)) return evaluateMatcher(matcher, fields, 0)
    await yieldToEventLoop()
    const before = time()
    const result = evaluateMatcher(matcher, fields, left > 0 ? timeLimits.expression : timeLimits.afterwards)
    left -= time() - before
    return result
  }
  return {
    evaluate: async (matchers) => {
      const key = JSON.stringify(matchers)
      if (results.has(key)) return
      let result = true
      for (const matcher of matchers) result &&= await evaluateOne(matcher)
      results.set(key, result)
    },
    resultOf: (matchers) => results.get(JSON.stringify(matchers)),
  }
}
