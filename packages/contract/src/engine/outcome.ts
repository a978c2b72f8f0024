import type { Exchange } from '../http/exchange.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import { Lenience, NotApplicable, NotArranged, Unreachable, Untestable, Violation } from './signals.ts'
import { type Strength, type Verdict, verdictOnBreach, weaker } from './verdict.ts'

/** What came of a check. */
export interface Outcome {
  readonly verdict: Verdict
  readonly strength: Strength
  readonly reason?: string
  readonly expected?: string
  readonly actual?: string
  readonly exchange?: Exchange
}

/** What is expected where none came. */
export const anResponse = 'an answer'

/** The message with the nearest frames: those further out are the runner's, and differ with its parallelism. */
const origin = ({ stack, message }: Error): string => stack?.split('\n').slice(0, 3).join('\n') ?? message

/**
 * What an error says about the target, and what about the kit: only what the kit throws on purpose is a verdict on
 * the target.
 *
 * @throws Unreachable when nothing answers at the address any more.
 */
export const outcomeOf = (error: unknown, strength: Strength, strict: boolean): Outcome => {
  if (error instanceof Violation || error instanceof Lenience) {
    const { expected, actual, exchange } = error.breach
    const binding = error.breach.strength ? weaker(strength, error.breach.strength) : strength
    const verdict = error instanceof Lenience ? 'LENIENT' : verdictOnBreach(binding, strict)
    return { verdict, strength: binding, expected, actual, ...(exchange && { exchange }) }
  }
  if (error instanceof Untestable) return { verdict: 'UNTESTABLE', strength, reason: error.prerequisite }
  if (error instanceof NotApplicable) return { verdict: 'NOT APPLICABLE', strength, reason: error.message }
  if (error instanceof NoCredentials) return { verdict: 'UNTESTABLE', strength, reason: error.message }
  if (error instanceof NoResponse) {
    if (error.isNobodyThere) throw new Unreachable(error.message)
    return {
      verdict: verdictOnBreach(strength, strict),
      strength,
      expected: anResponse,
      actual: error.message,
    }
  }
  if (error instanceof NotArranged) return { verdict: 'KIT ERROR', strength, reason: error.message }
  const reason = error instanceof Error ? origin(error) : String(error)
  return { verdict: 'KIT ERROR', strength, reason }
}
