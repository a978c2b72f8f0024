import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './pace.ts'

/** Waiting longer for one answer would look like a hang. */
const longestWaitSeconds = 120
const mostWaits = 3

/** Statuses with which a target asks to be asked later (RFC 6585 §4, RFC 9110 §15.6.4). */
const patient: readonly number[] = [429, 503]

export interface PatienceOptions {
  /** Lets time pass on the target: truly, or by moving the clock of a sandbox. */
  readonly wait: (seconds: number) => Promise<void>
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number
}

/** Repeats an attempt as often as the target asks to wait, unless the limit is what is asked for. */
export type Patience = (attempt: () => Promise<Exchange>, takeLimit?: boolean) => Promise<Exchange>

export const createPatience =
  ({ wait, now }: PatienceOptions): Patience =>
  async (attempt, takeLimit = false) => {
    for (let waits = 0; ; waits += 1) {
      const exchange = await attempt()
      const seconds = patient.includes(exchange.response.status)
        ? retryAfterSeconds(exchange, now())
        : undefined
      const enough = seconds === undefined || seconds > longestWaitSeconds || waits === mostWaits
      if (takeLimit || enough) return exchange
      await wait(seconds)
    }
  }
