import { errorCodes } from '@svc-admin/types'
import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './pace.ts'

/** A longer wait would look like a hang. */
const maxWaitSeconds = 120
/** How long to wait if the response doesn't say. The limit may apply per second or per minute. */
const defaultWaits = [1, 10, 60] as const
const maxWaits = defaultWaits.length

/** Statuses that ask the client to retry (RFC 6585 §4, RFC 9110 §15.6.4). */
const retryStatuses: readonly number[] = [429, 503]

export interface RetryOptions {
  /** Waits for the given number of seconds. */
  readonly wait: (seconds: number) => Promise<void>
  /**
   * Advances the target's clock, if possible, so that the kit doesn't have to wait for limits that use this clock. A
   * gateway in front of the target has its own clock.
   */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Called with the number of seconds to wait if advancing the clock doesn't lift the rate limit. */
  readonly onLimit?: ((seconds: number) => void) | undefined
  /** Returns the time in milliseconds since the UNIX epoch. */
  readonly now: () => number
}

export interface RetryBehavior {
  /** Whether to return a rate-limited response without retrying, because the check tests the limit itself. */
  readonly returnRateLimited?: boolean | undefined
  /** Called for each response that asks for a retry but has no Retry-After header. */
  readonly onMissingRetryAfter?: ((exchange: Exchange) => void) | undefined
}

/** Repeats an attempt as long as the target asks for a retry. */
export type Retry = (attempt: () => Promise<Exchange>, behavior?: RetryBehavior) => Promise<Exchange>

/** After this many clock moves that didn't help, the kit waits in real time. */
const maxMovedInVain = 3
/**
 * A limit per second may end while the clock is being moved, but for another reason. A success therefore counts less
 * than a failure.
 */
const movedWell = 0.5

/**
 * Advances the clock without waiting, and retries. Returns the response, unless it asks for another retry. If
 * advancing the clock doesn't help, the kit stops advancing it.
 */
const createMoves = (moveClock: RetryOptions['moveClock']) => {
  let inVain = 0
  return async (seconds: number, attempt: () => Promise<Exchange>): Promise<Exchange | undefined> => {
    if (moveClock === undefined || inVain >= maxMovedInVain) return undefined
    await moveClock(seconds)
    const exchange = await attempt()
    const helped = !retryStatuses.includes(exchange.response.status)
    inVain = helped ? Math.max(0, inVain - movedWell) : inVain + 1
    return helped ? exchange : undefined
  }
}

/**
 * After this many consecutive waits that didn't help, the kit stops waiting for this status. Otherwise, a single
 * operation that is permanently out of service would delay a run for hours.
 */
const maxInVain = 3

export const createRetry = ({ wait, moveClock, onLimit, now }: RetryOptions): Retry => {
  const afterMove = createMoves(moveClock)
  const inVain = new Map<number, number>()
  return async (attempt, { returnRateLimited = false, onMissingRetryAfter } = {}) => {
    let asking: number | undefined
    for (let waits = 0; ; waits += 1) {
      const exchange = await attempt()
      const { status } = exchange.response
      const asksAgain = retryStatuses.includes(status)
      if (!asksAgain && asking !== undefined) inVain.delete(asking)
      if (returnRateLimited || !asksAgain) return exchange
      const requested = retryAfterSeconds(exchange, now())
      const before = inVain.get(status) ?? 0
      if (waits === maxWaits) inVain.set(status, before + 1)
      const seconds = requested ?? defaultWaits[waits] ?? 0
      if (waits === maxWaits || before >= maxInVain || seconds > maxWaitSeconds) return exchange
      if (requested === undefined) onMissingRetryAfter?.(exchange)
      const soon = await afterMove(seconds, attempt)
      if (soon !== undefined) {
        inVain.delete(status)
        return soon
      }
      asking = status
      if (status === errorCodes.RATE_LIMITED.status) onLimit?.(seconds)
      await wait(seconds)
    }
  }
}
