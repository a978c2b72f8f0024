import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'

/** The pause that a host asked for, shared by every call of a client to that host. */
export interface Pause {
  /** No request before `ms` milliseconds from now. */
  extend(ms: number): void
  /** Milliseconds that are left of it; below 0 when there is none. */
  remaining(): number
  /**
   * Waits for what is left of it now, with a random tenth on top so that the calls which waited do not come at once.
   * Another call may have extended it meanwhile: look again.
   */
  wait(signal: AbortSignal | undefined): Promise<void>
}

export function createPause(clock: Clock, random: () => number): Pause {
  let until = 0
  const remaining = (): number => until - clock.now()
  return {
    extend(ms) {
      until = Math.max(until, clock.now() + ms)
    },
    remaining,
    wait: (signal) => sleep(remaining() * (1 + random() / 10), clock, signal),
  }
}
