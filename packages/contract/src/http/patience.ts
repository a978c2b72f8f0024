import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './pace.ts'

/** Waiting longer for one answer would look like a hang. */
const longestWaitSeconds = 120
/** Seconds that are waited where nobody says for how long: a limit may count by the second or by the minute. */
const usualWaits = [1, 10, 60] as const
const mostWaits = usualWaits.length

/** Statuses with which a target asks to be asked later (RFC 6585 §4, RFC 9110 §15.6.4). */
const patient: readonly number[] = [429, 503]

export interface PatienceOptions {
  /** Lets time pass on the target: truly, or by moving the clock of a sandbox. */
  readonly wait: (seconds: number) => Promise<void>
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number
}

export interface PatienceAsked {
  /** The limit is what is asked for: an answer that asks for patience is handed back. */
  readonly takeLimit?: boolean | undefined
  /** Hears of each answer that asks for patience, and does not say for how long. */
  readonly onUntimed?: ((exchange: Exchange) => void) | undefined
}

/** Repeats an attempt as often as the target asks to wait. */
export type Patience = (attempt: () => Promise<Exchange>, asked?: PatienceAsked) => Promise<Exchange>

/**
 * So often in a row is waited in vain before nothing more is waited for with the same status: else a target whose one
 * operation is out of service for good would hold up a run for hours.
 */
const mostInVain = 3

export const createPatience = ({ wait, now }: PatienceOptions): Patience => {
  const inVain = new Map<number, number>()
  return async (attempt, { takeLimit = false, onUntimed } = {}) => {
    let asking: number | undefined
    for (let waits = 0; ; waits += 1) {
      const exchange = await attempt()
      const { status } = exchange.response
      const asksAgain = patient.includes(status)
      if (!asksAgain && asking !== undefined) inVain.delete(asking)
      if (takeLimit || !asksAgain) return exchange
      const told = retryAfterSeconds(exchange, now())
      const before = inVain.get(status) ?? 0
      if (waits === mostWaits) inVain.set(status, before + 1)
      const seconds = told ?? usualWaits[waits] ?? 0
      if (waits === mostWaits || before >= mostInVain || seconds > longestWaitSeconds) return exchange
      if (told === undefined) onUntimed?.(exchange)
      asking = status
      await wait(seconds)
    }
  }
}
