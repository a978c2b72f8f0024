import { earliestTime, latestClockTime, timeAfter } from '../domain/timestamp.ts'
import type { Database, Session, Transaction } from '../persistence/database.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import { settings } from '../persistence/settings.ts'

/** Where a world's time comes from. Every timestamp, expiry and window is read from it. */
export interface Clock {
  /** Milliseconds since the epoch; within a transaction, as of what that sees. */
  now(session?: Session): Eventually<number>
  /** The same, with the count of turns of one and the same look. */
  moment(session?: Session): Eventually<Moment>
  /** Within a transaction the clock is moved when that is committed. */
  set(change: ClockChange, within?: Transaction): Promise<ClockReading>
  /** Within a transaction, as of what that sees. */
  read(session?: Session): Promise<ClockReading>
  /** Back to the wall's time, which it answers; within a transaction as soon as that is committed. Counts as a turn. */
  reset(within?: Transaction): Promise<number>
  /** Where it was last put to ahead of its run; what was due later has come round by itself. */
  jumpedTo(session?: Session): Promise<number>
  /** What it shows by the latest look at it, for who cannot wait for another: after a failure there may be none. */
  lately(): number
  /** How often the world has gone back, in time or to what it was before, as of the latest look at the clock. */
  turns(): number
}

/** What a clock shows at one look. */
export interface Moment {
  /** As `now`. */
  readonly now: number
  /** How often the world had gone back by then. */
  readonly turns: number
}

export interface ClockChange {
  /** A moment to go to, in milliseconds since the epoch. */
  readonly now?: number
  readonly advanceSeconds?: number
  /** How fast it runs: 1 as the wall's, 0 stands still. */
  readonly rate?: number
  /** Where this leads to, if it is a jump. */
  readonly jumpedTo?: number | undefined
}

export interface ClockReading {
  readonly now: number
  readonly rate: number
  /** Absent before the first jump. */
  readonly jumpedTo?: number | undefined
}

/** Kept in the database, so that every process of a world tells the same time. */
interface Anchor {
  readonly real: number
  readonly shown: number
  readonly rate: number
  /** Absent before the first turn. */
  readonly turns?: number
  /** Absent before the first jump. */
  readonly jumpedTo?: number | undefined
}

/** The wall clock, injected so that tests need not wait. */
export type RealTime = () => number

const realTime: Anchor = { real: 0, shown: 0, rate: 1 }

/**
 * The moment that a transaction may settle a world up to: the one that was asked for, or what the clock shows by now if
 * that is earlier. What takes many transactions would go on by a clock that the world no longer has once it was put back.
 */
export async function reachedBy(clock: Clock, moment: number, within: Session): Promise<number> {
  return Math.min(moment, await clock.now(within))
}

/**
 * Builds the clock of a world.
 *
 * @param remembers true if nobody else can move the clock, so that it need not be read each time.
 */
export function createClock(database: Database, real: RealTime, remembers: boolean): Clock {
  let known: Anchor | undefined
  let latest = realTime
  const anchor = async (session: Session = database): Promise<Anchor> => {
    if (known) return known
    const text = await settings.get(session, 'clock')
    const read: Anchor = text === undefined ? realTime : JSON.parse(text)
    latest = read
    if (remembers && session === database) known = read
    return read
  }
  // At a rate that is high enough the end of time is near: it stands still there, and can be set again.
  const shownBy = (by: Anchor) =>
    Math.min(latestClockTime, Math.max(earliestTime, Math.floor(by.shown + (real() - by.real) * by.rate)))
  const momentBy = (by: Anchor): Moment => ({ now: shownBy(by), turns: by.turns ?? 0 })
  // What is not committed yet nobody else may be told, and it may have been taken back.
  const readAnew = () => {
    known = undefined
  }
  const keep = async (transaction: Transaction, next: Anchor) => {
    await settings.set(transaction, 'clock', JSON.stringify(next))
    latest = next
  }
  const move = async (transaction: Transaction, change: ClockChange) => {
    const { now, advanceSeconds = 0, rate } = change
    const before = await anchor(transaction)
    const from = shownBy(before)
    const shown = timeAfter(now ?? from, advanceSeconds * 1000)
    const { turns: turned = 0 } = before
    const jumpedTo = change.jumpedTo ?? before.jumpedTo
    const turns = shown < from ? turned + 1 : turned
    const next = { real: real(), shown, rate: rate ?? before.rate, turns, jumpedTo }
    await keep(transaction, next)
    return next
  }
  return {
    now: (session) => (known ? shownBy(known) : anchor(session).then(shownBy)),
    moment: (session) => (known ? momentBy(known) : anchor(session).then(momentBy)),
    read: async (session) => {
      const by = await anchor(session)
      return { now: shownBy(by), rate: by.rate, jumpedTo: by.jumpedTo }
    },
    jumpedTo: async (session) => (await anchor(session)).jumpedTo ?? earliestTime,
    set: async (change, within) => {
      // In one transaction: two that advance it at once both do.
      const moving = within
        ? move(within, change)
        : database.transaction((transaction) => move(transaction, change))
      const next = await moving.finally(readAnew)
      // Of several that are committed together it may have been the first.
      if (remembers && !within && latest === next) known = next
      return { now: next.shown, rate: next.rate }
    },
    reset: async (within = undefined) => {
      const back = async (transaction: Transaction) => {
        const { turns: turned = 0 } = await anchor(transaction)
        await keep(transaction, { ...realTime, turns: turned + 1 })
      }
      await (within ? back(within) : database.transaction(back)).finally(readAnew)
      return shownBy(realTime)
    },
    lately: () => shownBy(latest),
    turns: () => latest.turns ?? 0,
  }
}
