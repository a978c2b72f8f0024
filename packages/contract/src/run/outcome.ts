import { type Strength, weaker } from '../document/strength.ts'
import { UnsupportedCoding } from '../http/coding.ts'
import type { Exchange } from '../http/exchange.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import { type Difference, expectedResponse, noResponse, serverError } from '../model/difference.ts'
import { Lenience, NotApplicable, NotArranged, Unreachable, Untestable, Violation } from '../model/signals.ts'
import { type Verdict, verdictOnBreach } from '../model/verdict.ts'

export interface Outcome {
  readonly verdict: Verdict
  readonly strength: Strength
  readonly reason?: string
  readonly expected?: string
  readonly actual?: string
  readonly headline?: string
  readonly difference?: Difference
  readonly exchange?: Exchange
}

/**
 * Returns the error's message and its nearest stack frames. The other frames belong to the runner and depend
 * on how many checks run in parallel.
 */
const origin = ({ stack, message }: Error): string => stack?.split('\n').slice(0, 3).join('\n') ?? message

/**
 * Converts an error to an outcome. Only errors that the kit throws deliberately describe the target's behavior.
 *
 * @throws Unreachable if the target stopped responding.
 */
export const outcomeOf = (error: unknown, strength: Strength, strict: boolean): Outcome => {
  if (error instanceof Violation || error instanceof Lenience) {
    const { expected, actual, exchange, headline } = error.breach
    const isServerError = exchange !== undefined && exchange.response.status >= 500
    const difference = error.breach.difference ?? (isServerError ? serverError : undefined)
    const binding = error.breach.strength ? weaker(strength, error.breach.strength) : strength
    const verdict = error instanceof Lenience ? 'LENIENT' : verdictOnBreach(binding, strict)
    const known = {
      ...(exchange && { exchange }),
      ...(headline && { headline }),
      ...(difference && { difference }),
    }
    return { verdict, strength: binding, expected, actual, ...known }
  }
  if (error instanceof Untestable) return { verdict: 'UNTESTABLE', strength, reason: error.prerequisite }
  if (error instanceof NotApplicable) return { verdict: 'NOT APPLICABLE', strength, reason: error.message }
  if (error instanceof NoCredentials || error instanceof UnsupportedCoding)
    return { verdict: 'UNTESTABLE', strength, reason: error.message }
  if (error instanceof NoResponse) {
    if (error.isUnreachable) throw new Unreachable(error.message)
    return {
      verdict: verdictOnBreach(strength, strict),
      strength,
      expected: expectedResponse,
      actual: error.message,
      difference: noResponse(error.code),
      ...(error.exchange && { exchange: error.exchange }),
    }
  }
  if (error instanceof NotArranged) return { verdict: 'KIT ERROR', strength, reason: error.message }
  const reason = error instanceof Error ? origin(error) : String(error)
  return { verdict: 'KIT ERROR', strength, reason }
}
