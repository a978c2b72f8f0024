import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'

/** A pause that a server requested. All of a client's calls to that server share the pause. */
export interface Pause {
  /** Extends the pause so that the client sends no request for the next `ms` milliseconds. */
  extend(ms: number): void
  /** The number of milliseconds from `now` until the pause ends, or a negative number if the client isn't paused. */
  remaining(now: number): number
  /**
   * Waits until the pause ends, and then for a random time of up to a tenth of the pause. Without this random time, all
   * waiting calls would resume at the same moment. Waits again if another call has extended the pause in the meantime.
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
