import type { RealTime } from '../domain/injected.ts'
import { earliestTime, latestClockTime, timeAfter } from '../domain/timestamp.ts'
import type { Database, Session, Transaction } from '../persistence/database.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import { settings } from '../persistence/settings.ts'

/** A world's clock. All timestamps, expiry times and rate limits use this clock. */
export interface Clock {
  /**
   * Returns the time in milliseconds since the Unix epoch. If you pass a session, the clock's state is read in that
   * session.
   */
  now(session?: Session): Eventually<number>
  /** Returns the time and the rewind count from a single read. */
  worldTime(session?: Session): Eventually<WorldTime>
  /** Changes the clock. If you pass a transaction, the change takes effect when the transaction commits. */
  set(change: ClockChange, within?: Transaction): Promise<ClockReading>
  /** Reads the clock. If you pass a session, the clock's state is read in that session. */
  read(session?: Session): Promise<ClockReading>
  /**
   * Resets the clock to the system time and returns the system time. If you pass a transaction, the reset takes effect
   * when the transaction commits. A reset counts as a rewind.
   */
  reset(within?: Transaction): Promise<number>
  /** Returns the time that the clock was set to when it was last set ahead. After the jump, the clock ran normally. */
  jumpedTo(session?: Session): Promise<number>
  /**
   * Calculates the time from the last clock state that was read. Doesn't read the database, because the database may be
   * unavailable.
   */
  lastKnown(): number
  /**
   * Returns how many times the world has been set back, reset or restored. The count comes from the clock state that
   * was read last.
   */
  rewinds(): number
}

/** A world's time and its rewind count at that time. */
export interface WorldTime {
  /** The time in milliseconds since the Unix epoch. */
  readonly now: number
  /** The number of times that the world had been rewound by that time. */
  readonly rewinds: number
}

export interface ClockChange {
  /** The time to set, in milliseconds since the Unix epoch. */
  readonly now?: number
  readonly advanceSeconds?: number
  /** The speed of the clock. At a speed of 1, the clock runs in real time. A speed of 0 stops the clock. */
  readonly rate?: number
  /** The time that the clock is set to, if the clock is set ahead. */
  readonly jumpedTo?: number | undefined
}

export interface ClockReading {
  readonly now: number
  readonly rate: number
  /** The time that the clock was last set ahead to, or undefined if the clock was never set ahead. */
  readonly jumpedTo?: number | undefined
}

/**
 * The stored state of a clock. The state is in the database, because all processes that serve a world share its clock.
 */
interface StoredClock {
  readonly real: number
  readonly shown: number
  readonly rate: number
  /** The rewind count. Undefined if the clock was never rewound. */
  readonly turns?: number
  /** The time that the clock was last set ahead to, or undefined if the clock was never set ahead. */
  readonly jumpedTo?: number | undefined
}

const realTime: StoredClock = { real: 0, shown: 0, rate: 1 }

/**
 * Returns the time up to which a transaction may process a world, which is the earlier of the requested time and the
 * current time. If the world is rewound between two transactions, the second transaction must not continue with the old
 * time.
 */
export async function settleLimit(clock: Clock, moment: number, within: Session): Promise<number> {
  return Math.min(moment, await clock.now(within))
}

/**
 * Creates a world's clock.
 *
 * @param useCache Whether the clock's state can be cached because no other process can change the clock.
 */
export function createClock(database: Database, real: RealTime, useCache: boolean): Clock {
  let known: StoredClock | undefined
  let latest = realTime
  let shared: Promise<StoredClock> | undefined
  const read = async (session: Session): Promise<StoredClock> => {
    if (known) return known
    const text = await settings.get(session, 'clock')
    const found: StoredClock = text === undefined ? realTime : JSON.parse(text)
    latest = found
    if (useCache && session === database) known = found
    return found
  }
  // Requests that are processed together share a single read, because all of them arrived before the read started.
  const anchor = (session: Session = database): Promise<StoredClock> => {
    if (session !== database) return read(session)
    if (!shared) {
      shared = read(database)
      queueMicrotask(() => {
        shared = undefined
      })
    }
    return shared
  }
  // When a fast clock reaches the end of its range, it stops until it is set back.
  const shownBy = (by: StoredClock) =>
    Math.min(latestClockTime, Math.max(earliestTime, Math.floor(by.shown + (real() - by.real) * by.rate)))
  const momentBy = (by: StoredClock): WorldTime => ({ now: shownBy(by), rewinds: by.turns ?? 0 })
  // Discard the cache, because the change may not be committed yet or may have been rolled back.
  const dropCache = () => {
    known = undefined
  }
  const store = async (transaction: Transaction, next: StoredClock) => {
    await settings.set(transaction, 'clock', JSON.stringify(next))
    latest = next
  }
  const move = async (transaction: Transaction, change: ClockChange) => {
    const { now, advanceSeconds = 0, rate } = change
    const before = await anchor(transaction)
    const from = shownBy(before)
    const shown = timeAfter(now ?? from, advanceSeconds * 1000)
    const { turns: previousTurns = 0 } = before
    const jumpedTo = change.jumpedTo ?? before.jumpedTo
    const turns = shown < from ? previousTurns + 1 : previousTurns
    const next = { real: real(), shown, rate: rate ?? before.rate, turns, jumpedTo }
    await store(transaction, next)
    return next
  }
  return {
    now: (session) => (known ? shownBy(known) : anchor(session).then(shownBy)),
    worldTime: (session) => (known ? momentBy(known) : anchor(session).then(momentBy)),
    read: async (session) => {
      const by = await anchor(session)
      return { now: shownBy(by), rate: by.rate, jumpedTo: by.jumpedTo }
    },
    jumpedTo: async (session) => (await anchor(session)).jumpedTo ?? earliestTime,
    set: async (change, within) => {
      // Use a transaction, so that both of two concurrent requests can advance the clock.
      const moving = within
        ? move(within, change)
        : database.transaction((transaction) => move(transaction, change))
      const next = await moving.finally(dropCache)
      // If several changes are committed together, this change may not be the last one.
      if (useCache && !within && latest === next) known = next
      return { now: next.shown, rate: next.rate }
    },
    reset: async (within = undefined) => {
      const back = async (transaction: Transaction) => {
        const { turns: previousTurns = 0 } = await anchor(transaction)
        await store(transaction, { ...realTime, turns: previousTurns + 1 })
      }
      await (within ? back(within) : database.transaction(back)).finally(dropCache)
      return shownBy(realTime)
    },
    lastKnown: () => shownBy(latest),
    rewinds: () => latest.turns ?? 0,
  }
}
