import { errorCodes } from '@svc-admin/types'
import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './pace.ts'

/** Waiting longer for one answer would look like a hang. */
const maxWaitSeconds = 120
/** Seconds that are waited where nobody says for how long: a limit may count by the second or by the minute. */
const defaultWaits = [1, 10, 60] as const
const maxWaits = defaultWaits.length

/** Statuses with which a target asks to be asked later (RFC 6585 §4, RFC 9110 §15.6.4). */
const retryStatuses: readonly number[] = [429, 503]

export interface RetryOptions {
  /** Lets time pass. */
  readonly wait: (seconds: number) => Promise<void>
  /**
   * Moves the target's clock on, where that can be done: what limits by that clock need not be waited for. What stands
   * before the target, such as a gateway, has a clock of its own.
   */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Hears of a limit of requests that only true waiting lifts, and for how many seconds it is waited. */
  readonly onLimit?: ((seconds: number) => void) | undefined
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number
}

export interface RetryBehavior {
  /** The limit is what is asked for: an answer that asks for patience is handed back. */
  readonly returnRateLimited?: boolean | undefined
  /** Hears of each answer that asks for patience, and does not say for how long. */
  readonly onMissingRetryAfter?: ((exchange: Exchange) => void) | undefined
}

/** Repeats an attempt as often as the target asks to wait. */
export type Retry = (attempt: () => Promise<Exchange>, behavior?: RetryBehavior) => Promise<Exchange>

/** So often the clock is moved in vain before it is left where it is, and truly waited at once. */
const maxMovedInVain = 3
/** A limit of many requests a second may be lifted while the clock is moved, and not by that: a success counts less. */
const movedWell = 0.5

/**
 * Moves the clock instead of waiting, and asks again; returns the answer, unless that asks for patience too. A limit
 * that only true waiting lifts is told by that: the clock stays out of it afterwards.
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
 * So often in a row is waited in vain before nothing more is waited for with the same status: else a target whose one
 * operation is out of service for good would hold up a run for hours.
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
