import type { Clock } from '../clock.ts'
import { sleep } from '../deadline.ts'
import type { CallContext } from '../fetch.ts'
import { createUnsentError } from '../status-errors.ts'

/** Waits until one more request may go, and counts it. */
export type RateWindow = (context: CallContext) => Promise<void>

export interface RateWindowOptions {
  readonly maximum: number
  readonly windowSeconds: number
  readonly clock: Clock
  /** A longer wait than this is an error, at once and with the wait in it. */
  readonly longestWaitMs: number
}

/** Keeps requests under a limit of so many in so long, before the server has to say anything. */
export function createRateWindow(options: RateWindowOptions): RateWindow {
  const { maximum, windowSeconds, clock, longestWaitMs } = options
  const sent: number[] = []
  return async (context) => {
    const oldest = sent[sent.length - maximum]
    const wait = oldest === undefined ? 0 : oldest + windowSeconds * 1000 - clock.now()
    if (wait > longestWaitMs) throw createUnsentError(context, wait)
    if (wait > 0) await sleep(wait, clock)
    sent.push(clock.now())
    if (sent.length > maximum) sent.shift()
  }
}
