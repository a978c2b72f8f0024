import type { Prerequisites } from './prerequisites.ts'

/** Provides the target's time without sending requests. */
export interface TargetTime {
  /** Milliseconds since an arbitrary start. Includes clock changes by the kit. */
  now(): number
  /** Like the given prerequisites, but tracks clock changes. */
  readonly prerequisites: Prerequisites
}

/**
 * Tracks the target's time, which determines when tokens and nonces expire. A clock that stands still or runs slowly
 * is treated like real time, because renewing too early does no harm.
 *
 * @param wall A monotonic clock, in milliseconds.
 */
export const createTargetTime = (prerequisites: Prerequisites, wall: () => number): TargetTime => {
  let ahead = 0
  let faster = 0
  let since = wall()
  const now = (): number => wall() + ahead + (wall() - since) * faster
  return {
    now,
    prerequisites: {
      ...prerequisites,
      async advanceClock(seconds) {
        await prerequisites.advanceClock(seconds)
        ahead += seconds * 1000
      },
      async readClock() {
        const reading = await prerequisites.readClock()
        ahead = now() - wall()
        since = wall()
        faster = Math.max(0, (reading?.rate ?? 1) - 1)
        return reading
      },
    },
  }
}
