import type { Leftover } from '../model/leftover.ts'
import type { Journal, MovedClock } from './journal.ts'
import type { ClockReading, Prerequisites } from './prerequisites.ts'

/** The target's clock. The clock is locked while this run may move it, and reset at the end. */
export interface Clock {
  /** The same prerequisites, except that each clock change is first recorded in the journal. */
  readonly prerequisites: Prerequisites
  /**
   * Resets the clock to the time that it would show if no run in the journal had moved it. Returns the new time or, if
   * resetting failed, the reason. If the clock can only move forward, returns neither a time nor a reason.
   */
  restore(): Promise<{ readonly now?: number; readonly left: Leftover[] }>
}

interface Options {
  readonly prerequisites: Prerequisites
  readonly journal: Pick<Journal, 'moved' | 'clock' | 'clockBack'>
  /** Returns the wall-clock time. Unlike a monotonic clock, the wall clock also advances between runs. */
  readonly wall?: () => number
}

const noWay = 'there is no way to move it (hooks.advanceClock, or the control interface of the sandbox)'

export const createClock = ({ prerequisites, journal, wall = Date.now }: Options): Clock => {
  let found: MovedClock | undefined
  // If the target doesn't report its time, only the journal shows how far the killed run moved the clock.
  let unseen = journal.clock()?.seconds ?? 0
  const readClock = async (): Promise<ClockReading | undefined> => {
    const reading = await prerequisites.readClock()
    found = reading && { ...reading, at: wall(), seconds: 0 }
    return reading
  }
  return {
    prerequisites: {
      ...prerequisites,
      readClock,
      async advanceClock(seconds) {
        if (found === undefined) await readClock()
        if (found !== undefined) journal.moved({ ...found, seconds })
        await prerequisites.advanceClock(seconds)
      },
    },
    async restore() {
      const before = journal.clock() ?? found
      if (before === undefined) return { left: [] }
      const { rate } = before
      const now = before.now + (wall() - before.at) * rate
      try {
        if (!prerequisites.canMoveClock) throw new Error(noWay)
        const stands = await prerequisites.setClock({ now, rate }, unseen)
        unseen = 0
        journal.clockBack()
        return { ...(stands && { now }), left: [] }
      } catch (error) {
        // A failed cleanup must not discard the results of the run.
        const reason = error instanceof Error ? error.message : String(error)
        const parameters = { now: new Date(now).toISOString() }
        return { left: [{ operation: 'setClock', parameters, reason }] }
      }
    },
  }
}
