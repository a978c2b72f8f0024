import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'

/** A pause that a host requested. All of a client's calls to that host share it. */
export interface Pause {
  /** Extends the pause. No request is sent for the next `ms` milliseconds. */
  extend(ms: number): void
  /** The number of milliseconds from `now` until the pause ends, which is negative if there is no pause. */
  remaining(now: number): number
  /**
   * Waits until the pause ends, and then for a random time of up to a tenth of the pause. Without this random
   * time, all waiting calls would resume at the same moment. After that, checks the pause again because
   * another call may have extended it.
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
