import type { Prerequisites } from './prerequisites.ts'

/** Provides the target's time without sending requests. */
export interface TargetTime {
  /**
   * Returns the time in milliseconds, counted from an arbitrary starting point. The time includes the changes that the
   * kit makes to the clock.
   */
  now(): number
  /** The same prerequisites, except that changes of the clock are tracked. */
  readonly prerequisites: Prerequisites
}

/**
 * Tracks the target's time, which determines when tokens and nonces expire. A clock that is stopped or runs slowly is
 * treated as running in real time, because renewing tokens and nonces too early does no harm.
 *
 * @param wall Returns the time in milliseconds, from a clock that is never set back.
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
