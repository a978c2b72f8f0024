import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'

/** A pause that a host requested, which all of a client's calls to that host share. */
export interface Pause {
  /** Extends the pause. No request is sent for the next `ms` milliseconds. */
  extend(ms: number): void
  /** The number of milliseconds from `now` until the pause ends. Negative without a pause. */
  remaining(now: number): number
  /**
   * Waits until the pause ends, plus up to a tenth of it. The addition is random, so that waiting calls don't all
   * resume at the same time. Checks again, because another call may have extended the pause.
   */
  wait(signal: AbortSignal | undefined): Promise<void>
}

export function createPause(clock: Clock, random: () => number): Pause {
  let until = 0
  return {
    extend(ms) {
      until = Math.max(until, clock.now() + ms)
    },
    remaining: (now) => until - now,
    wait: (signal) => sleep((until - clock.now()) * (1 + random() / 10), clock, signal),
  }
}
