import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import { describeResponse, expectSuccess, isInvalidAt, isRefusal, isSuccess } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'

interface Bound {
  /** The location of the value, as a JSON Pointer. */
  readonly at: string
  /** Sends the same request with the next value, which is further from the bound. */
  readonly sendNext: () => Promise<Exchange>
  readonly strength?: Strength | undefined
}

/**
 * Expects the target to accept a value at its bound. The target may reject the value for another reason. For example,
 * continuous backup doesn't cover a time long ago. Then the target rejects the next value too.
 *
 * @throws Untestable if another reason than the bound explains the response.
 */
export const expectBound = async (
  exchange: Exchange,
  what: string,
  { at, sendNext, strength }: Bound,
): Promise<void> => {
  const hasOtherReason = isRefusal(exchange.response) && !isInvalidAt(exchange, at)
  if (hasOtherReason && !isSuccess(await sendNext()))
    throw new Untestable(
      `a request that the target accepts with ${at} near its bound (${describeResponse(exchange)})`,
    )
  expectSuccess(exchange, what, strength)
}
