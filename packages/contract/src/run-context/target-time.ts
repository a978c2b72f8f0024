import type { Prerequisites } from './prerequisites.ts'

/** The target's time as far as the kit knows it without asking. */
export interface TargetTime {
  /** Milliseconds since any moment: those that went by, and those by which the kit moved the clock. */
  now(): number
  /** The same prerequisites, whose moves of the clock are counted. */
  readonly prerequisites: Prerequisites
}

/**
 * Keeps the target's time, so that what expires there is known to. A clock that stands still, or is slower than the
 * wall's, is taken to go as fast: what is renewed too early does no harm.
 *
 * @param wall milliseconds of a clock that only goes forward.
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
