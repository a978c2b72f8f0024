import type { Journal, Leftover } from './journal.ts'
import type { ClockReading, Prerequisites } from './prerequisites.ts'

/** Where the target's clock stood at a moment of the wall's, and how far runs have moved it since. */
export interface MovedClock extends ClockReading {
  /** Milliseconds since the UNIX epoch. */
  readonly at: number
  readonly seconds: number
}

/** The target's clock, which a run moves and gives back as if nobody had. */
export interface Clock {
  /** The same prerequisites, whose moves of the clock are written down before they are made. */
  readonly prerequisites: Prerequisites
  /**
   * Puts it back to where it was before it was moved, by this run or by an earlier one of the journal: as if it had run
   * on from there. Returns the moment, unless it goes forward alone, and why it could not be put there.
   */
  restore(): Promise<{ readonly now?: number; readonly left: Leftover[] }>
}

interface Options {
  readonly prerequisites: Prerequisites
  readonly journal: Pick<Journal, 'moved' | 'clock' | 'clockBack'>
  /** The time by the wall's clock, which goes on while no run does. */
  readonly wall?: () => number
}

const noWay = 'there is no way to move it (hooks.advanceClock, or the control interface of the sandbox)'

export const createClock = ({ prerequisites, journal, wall = Date.now }: Options): Clock => {
  let found: MovedClock | undefined
  // Of a clock that nobody tells, what a run that was killed had written down is all that is known.
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
        // A run has results to be told, whatever goes wrong at its end.
        const reason = error instanceof Error ? error.message : String(error)
        const parameters = { now: new Date(now).toISOString() }
        return { left: [{ operation: 'setClock', parameters, reason }] }
      }
    },
  }
}
