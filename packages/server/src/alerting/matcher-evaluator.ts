import { setImmediate as othersTurn } from 'node:timers/promises'
import { type EventFields, isExpression, type Matcher, matches } from '../domain/matchers.ts'

/** Which matchers let an event through, found out once for all that are alike. */
export interface MatcherEvaluator {
  /** Finds it out, which may take a while; others have their turns meanwhile. */
  evaluate(matchers: readonly Matcher[]): Promise<void>
  /** Undefined for what was not judged. */
  resultOf(matchers: readonly Matcher[]): boolean | undefined
}

/**
 * Milliseconds that one expression may take, and all those of an event; when these are over, each has little. Those that
 * do not backtrack need less than that.
 */
const timeLimits = { expression: 20, event: 1000, afterwards: 2 }

interface EvaluatorOptions {
  readonly matches: typeof matches
  /** Milliseconds, from any moment on. */
  readonly time: () => number
}

/** Judges the matchers of all configurations that an event may concern. */
export function createMatcherEvaluator(
  fields: EventFields,
  { matches: look, time }: EvaluatorOptions = { matches, time: () => performance.now() },
): MatcherEvaluator {
  const verdicts = new Map<string, boolean>()
  let left = timeLimits.event
  const holds = async (matcher: Matcher): Promise<boolean> => {
    if (!isExpression(matcher)) return look(matcher, fields, 0)
    await othersTurn()
    const before = time()
    const verdict = look(matcher, fields, left > 0 ? timeLimits.expression : timeLimits.afterwards)
    left -= time() - before
    return verdict
  }
  return {
    evaluate: async (matchers) => {
      const key = JSON.stringify(matchers)
      if (verdicts.has(key)) return
      let verdict = true
      for (const matcher of matchers) verdict &&= await holds(matcher)
      verdicts.set(key, verdict)
    },
    resultOf: (matchers) => verdicts.get(JSON.stringify(matchers)),
  }
}
