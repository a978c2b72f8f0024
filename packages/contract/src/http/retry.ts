import { errorCodes } from '@svc-admin/types'
import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './pace.ts'

/** The longest time to wait. If the kit waited longer, it would appear to hang. */
const maxWaitSeconds = 120
/** The delay if the response doesn't specify one. The limit may apply per second or per minute. */
const defaultWaits = [1, 10, 60] as const
const maxWaits = defaultWaits.length

/** Statuses that ask or allow the client to retry (RFC 6585 §4, RFC 9110 §15.5.9 and §15.6.4). */
const retryStatuses: readonly number[] = [408, 429, 503]

export interface RetryOptions {
  /** Waits for the given number of seconds. */
  readonly wait: (seconds: number) => Promise<void>
  /**
   * Advances the target's clock if possible, so that the kit doesn't have to wait in real time. This doesn't help with
   * a gateway's rate limit, because a gateway has its own clock.
   */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Called with the number of seconds to wait if advancing the clock doesn't help. */
  readonly onLimit?: ((seconds: number) => void) | undefined
  /** Returns the time in milliseconds since the UNIX epoch. */
  readonly now: () => number
}

export interface RetryBehavior {
  /** Whether to return rate-limited responses without retrying, because the check tests the limit itself. */
  readonly returnRateLimited?: boolean | undefined
  /** Called for each response that requires a retry but has no Retry-After header. */
  readonly onMissingRetryAfter?: ((exchange: Exchange) => void) | undefined
}

/** Repeats an attempt until the target stops asking for a retry. */
export type Retry = (attempt: () => Promise<Exchange>, behavior?: RetryBehavior) => Promise<Exchange>

/** After advancing the clock this many times without effect, the kit waits in real time. */
const maxMovedInVain = 3
/** A per-second limit can happen to end during a clock change, so a success counts less than a failure. */
const movedWell = 0.5

/**
 * Advances the clock without waiting, and retries. Returns the response unless it requires another retry. If that
 * doesn't help, the kit stops advancing the clock.
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
 * After this many consecutive waits without effect, the kit stops waiting for this status. Otherwise, one operation
 * that is permanently unavailable would delay the run for hours.
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
