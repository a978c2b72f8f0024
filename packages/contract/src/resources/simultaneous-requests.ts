import type { Exchange } from '../http/exchange.ts'
import { NoResponse } from '../http/transport.ts'
import { isSuccess } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'

/** The number of requests to send at the same time. The kit has enough connections to send all of them in parallel. */
const parallel = 8

const inParallel = (send: () => Promise<Exchange>): Promise<PromiseSettledResult<Exchange>[]> =>
  Promise.allSettled(Array.from({ length: parallel }, send))

/** Returns whether the target was too busy for a request. A server may reject requests under load. */
const isBusy = (error: unknown): boolean =>
  error instanceof Untestable || (error instanceof NoResponse && !error.isUnreachable)

/**
 * Sends the same request several times in parallel, and returns the successful responses. If the run limits the request
 * rate, the requests are sent one after another, so the check finds less.
 *
 * @param read Reads a resource with the same credentials. Reads in parallel open the connections and get the Digest
 * nonces, so that the requests don't have to wait for them and really arrive together.
 */
export const simultaneousSuccesses = async (
  read: () => Promise<Exchange>,
  send: () => Promise<Exchange>,
): Promise<readonly Exchange[]> => {
  await inParallel(read)
  const exchanges = (await inParallel(send)).flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value]
    if (!isBusy(result.reason)) throw result.reason
    return []
  })
  const successes = exchanges.filter(isSuccess)
  if (successes.length === 0) throw new Untestable('a success for one of several requests at the same time')
  return successes
}
