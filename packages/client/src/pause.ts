import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'

/** The pause that a host requested, shared by all of a client's calls to that host. */
export interface Pause {
  /** Sends no request for `ms` milliseconds from now. */
  extend(ms: number): void
  /** Milliseconds from `now` until the pause ends; negative if there is none. */
  remaining(now: number): number
  /**
   * Waits until the pause ends, plus a random part of up to a tenth so that waiting calls don't resume all at
   * once. Another call may have extended the pause meanwhile: check again.
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
