import { errorCodes } from '@svc-admin/types'
import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './pace.ts'

/** The maximum number of seconds to wait for the target. With longer waits, the kit would appear to hang. */
const maxWaitSeconds = 120
/**
 * The wait times in seconds if the response doesn't specify one. The shortest wait suits per-second limits, and the
 * longest suits per-minute limits.
 */
const defaultWaits = [1, 10, 60] as const
const maxWaits = defaultWaits.length

/**
 * A server sends one of these statuses to ask or allow the client to retry (RFC 6585 §4, RFC 9110 §15.5.9 and §15.6.4).
 */
const retryStatuses: readonly number[] = [408, 429, 503]

export interface RetryOptions {
  /** Waits for the given number of seconds. */
  readonly wait: (seconds: number) => Promise<void>
  /**
   * Advances the target's clock, so that the kit doesn't have to wait in real time. This doesn't reset a gateway's rate
   * limit, because the gateway has its own clock.
   */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Called before a wait in real time, with the number of seconds. */
  readonly onLimit?: ((seconds: number) => void) | undefined
  /** Returns the current time in milliseconds since the UNIX epoch. */
  readonly now: () => number
}

export interface RetryBehavior {
  /** Whether to return rate-limited responses immediately, because the check tests the limit. */
  readonly returnRateLimited?: boolean | undefined
  /** Called for each response that asks for a retry without a `Retry-After` header. */
  readonly onMissingRetryAfter?: ((exchange: Exchange) => void) | undefined
}

/** Repeats a request for as long as the target asks for a retry. */
export type Retry = (attempt: () => Promise<Exchange>, behavior?: RetryBehavior) => Promise<Exchange>

/** After this many unsuccessful attempts to advance the clock, the kit waits in real time instead. */
const maxMovedInVain = 3
/**
 * A per-second limit can expire by chance while the clock is being advanced, so a success is weaker evidence than a
 * failure.
 */
const movedWell = 0.5

/**
 * Advances the clock and retries without waiting. Returns the response, or `undefined` if the target asks for another
 * retry. After several retries without success, the kit stops advancing the clock.
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
 * After this many unsuccessful waits in a row, the kit stops waiting for the same status. Otherwise, an operation that
 * never becomes available could delay the run for hours.
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
