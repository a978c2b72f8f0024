import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { states } from '@svc-admin/types'
import type { StateMachine, StateTransition } from '../domain/lifecycle.ts'
import { problem } from '../domain/problem.ts'
import { timeAfter } from '../domain/timestamp.ts'
import { atPace, type TransitionPace } from '../domain/transition-pace.ts'
import type { Database, Session, Transaction } from '../persistence/database.ts'
import { reachedStates } from '../persistence/reached-states.ts'
import { settings } from '../persistence/settings.ts'
import { createReadCounts, type ReadCounts, reachedStatesLimit } from './read-counts.ts'

/** Determines when a state machine's time-based transitions occur. */
export type TransitionMode =
  | { readonly mode: 'described' }
  | { readonly mode: 'immediate' }
  | { readonly mode: 'after'; readonly seconds: number }
  /** The transition occurs after this many requests have read the state. */
  | { readonly mode: 'reads'; readonly reads: number }
  /** The transition occurs when the control interface releases it. */
  | { readonly mode: 'manual' }

/** A world's modes as stored in the database, keyed by state machine. */
interface StoredModes {
  readonly modes: Readonly<Record<string, TransitionMode>>
  /** The times when transitions were released. */
  readonly releases: Readonly<Record<string, readonly number[]>>
  /** Earlier modes, oldest first, or undefined if no mode has ever changed. */
  readonly past?: Readonly<Record<string, readonly PastMode[]>> | undefined
  /** A random ID that changes whenever the stored read counts change, or undefined if no read counts are stored. */
  readonly reached?: string | undefined
}

type Change = (before: StoredModes) => StoredModes

interface PastMode {
  readonly mode: TransitionMode
  readonly until: number
}

/**
 * A function to call after the commit. The function must not read the database, because the change can't be undone if
 * reading fails.
 */
export type AfterCommit = () => void

export interface TransitionModes {
  /**
   * Runs a function with the transition modes applied, and stores the states that resources reach. `counts` specifies
   * whether this request's reads count for the `reads` mode.
   */
  run<T>(counts: boolean, work: () => Promise<T>): Promise<T>
  all(): Readonly<Record<string, TransitionMode>>
  /**
   * Sets modes for future transitions. Past transitions remain unchanged.
   *
   * @param on The database to use, such as a fenced world's database.
   * @throws {Problem} `INVALID_STATE` if the history of modes is full.
   */
  set(modes: ReadonlyMap<string, TransitionMode>, now: number, on?: Database): Promise<void>
  /**
   * Releases one transition for all resources that entered their state before the given time.
   *
   * @param on The database to use, such as a fenced world's database.
   * @throws {Problem} `INVALID_STATE` if the history of releases is full.
   */
  release(machines: readonly string[], at: number, on?: Database): Promise<void>
  /** After the clock is set back, removes history entries that are later than the given time. */
  rewind(to: number, within: Transaction): Promise<AfterCommit>
  /** Resets all modes to `described`. Call `load` afterward, in the same transaction. */
  reset(within: Transaction): Promise<void>
  /** Reloads the modes after the world is replaced. All read counts are lost. */
  load(within: Session): Promise<AfterCommit>
  /** Reloads the modes before a request. Undefined if no other process can change the modes. */
  readonly refresh?: () => Promise<void>
}

/** State machines without modes. Alerts depend only on events and the clock. */
const machinesWithoutModes = ['alert']

/** State machines that repeat the transitions of another state machine. */
const views = new Map(
  Object.entries<StateMachine & { readonly viewOf?: string }>(states).map(([id, { viewOf }]) => [id, viewOf]),
)

export const machinesWithModes: readonly string[] = Object.entries<StateMachine>(states)
  .filter(
    ([id, { transitions }]) =>
      !machinesWithoutModes.includes(id) && !views.get(id) && transitions.some(isByTime),
  )
  .map(([id]) => id)

/** Explains why a state machine's mode can't be set. */
export function noModeMessage(name: string): string {
  const shown = `'${name.slice(0, 100)}'`
  const origin = views.get(name)
  if (origin !== undefined)
    return `${shown} shows the states of '${origin}'. Set the mode of '${origin}' instead`
  return `${shown} has no transition mode. Use one of ${machinesWithModes.join(', ')}, or * for all`
}

function isByTime({ trigger }: StateTransition): boolean {
  return trigger === 'time'
}

/** The IDs of state machines, keyed by title. All variants of a state machine have the same title. */
const idOfTitle = new Map(Object.entries<StateMachine>(states).map(([id, { title }]) => [title, id]))

/**
 * The longest transition that a mode can affect, in seconds. Longer times are lifetimes that depend only on the clock,
 * such as the time for which a download is available.
 */
const longestTransition = 3600

const noModes: StoredModes = { modes: {}, releases: {} }
const asDescribed: TransitionMode = { mode: 'described' }
const setting = 'transitions'

/**
 * The number of past modes that are stored for each state machine even if they have no effect. Older modes are stored
 * only if they have an effect.
 */
const pastInFull = 100

/**
 * The maximum size of each state machine's history. If the history is full, changes are rejected, because removing old
 * entries would undo the transitions that they caused. With a shared database, the server reads the whole history
 * before each request.
 */
const limits = { past: 1000, releases: 10_000 }

/**
 * Creates the transition modes, which are stored in the world's database.
 *
 * @param useCache Whether the modes can be cached because no other process can change them. If false, each process
 *   counts only its own reads.
 */
export async function createTransitionModes(database: Database, useCache: boolean): Promise<TransitionModes> {
  let stored = noModes
  const reads = createReadCounts()
  // The ID of the most recently loaded read counts.
  let known: string | undefined
  const refresh = async () => {
    stored = await read(database)
    if (stored.reached === known) return
    reads.replace(await momentsIn(database))
    known = stored.reached
  }
  const write = async (
    transaction: Transaction,
    before: StoredModes,
    after: StoredModes,
  ): Promise<AfterCommit> => {
    await settings.set(transaction, setting, JSON.stringify(after))
    return () => {
      stored = after
      // If the IDs differ, another process has stored more counts. The next request loads the additional counts.
      if (before.reached === known) known = after.reached
    }
  }
  const update = async (on: Database, change: Change, alsoRun = async (_: Transaction) => {}) => {
    const stored = await on.transaction(async (transaction) => {
      await alsoRun(transaction)
      const before = await read(transaction)
      return write(transaction, before, change(before))
    })
    stored()
  }
  const saveReached = async () => {
    const moments = reads.drainNew()
    if (moments.length === 0) return
    try {
      await update(database, withNewReachedId, async (transaction) => {
        for (const [key, at] of moments) await reachedStates.put(transaction, key, at)
      })
    } catch (error) {
      reads.restoreNew(moments)
      throw error
    }
  }
  await refresh()
  return {
    load: async (within) => {
      const next = await read(within)
      const moments = await momentsIn(within)
      return () => {
        reads.clear()
        reads.replace(moments)
        stored = next
        known = next.reached
      }
    },
    ...(useCache ? {} : { refresh }),
    reset: (within) => settings.remove(within, setting),
    all: () => Object.fromEntries(machinesWithModes.map((id) => [id, stored.modes[id] ?? asDescribed])),
    set: (modes, now, on = database) =>
      update(on, (before) =>
        [...modes].reduce((stored, [machine, mode]) => withMode(stored, machine, mode, now), before),
      ),
    release: (machines, at, on = database) =>
      update(on, (before) => machines.reduce((stored, machine) => withRelease(stored, machine, at), before)),
    rewind: async (to, within) => {
      const before = await read(within)
      const whenKept =
        before === noModes ? undefined : await write(within, before, withNewReachedId(rewound(before, to)))
      return () => {
        reads.rewind(to)
        whenKept?.()
      }
    },
    run: (counts, work) => {
      const pace = paceOf(stored, reads, counts)
      return pace ? atPace(pace, work).finally(saveReached) : work()
    },
  }
}

async function read(session: Session): Promise<StoredModes> {
  const text = await settings.get(session, setting)
  return text === undefined ? noModes : JSON.parse(text)
}

const momentsIn = (session: Session) => reachedStates.latest(session, reachedStatesLimit)

/** Returns the pace defined by the modes, or undefined if all modes are `described`. */
function paceOf(stored: StoredModes, reads: ReadCounts, counts: boolean): TransitionPace | undefined {
  if (Object.keys(stored.modes).length === 0) return undefined
  const seen = new Set<string>()
  return {
    unobserved: counts ? paceOf(stored, reads, false) : undefined,
    timeOf: ({ stored: { id = '' }, machine: { title }, transition, described }, since, now) => {
      if ((transition.afterSeconds ?? 0) > longestTransition) return described
      const machine = idOfTitle.get(title) ?? ''
      const key = [machine, transition.from, since, id].join(' ')
      const timed = (mode: TimedMode) => endOfState(mode, since, described, stored.releases[machine])
      for (const { mode, until } of stored.past?.[machine] ?? []) {
        const at = mode.mode === 'reads' ? reads.reachedAt(key) : timed(mode)
        if (since < until && at !== undefined && at <= until) return at
      }
      const mode = stored.modes[machine] ?? asDescribed
      if (mode.mode !== 'reads') return timed(mode)
      return counts ? reads.count(key, mode.reads, now, seen) : reads.reachedAt(key)
    },
  }
}

type TimedMode = Exclude<TransitionMode, { mode: 'reads' }>

/** Returns the time when a resource leaves a state that it entered at `since`. */
function endOfState(mode: TimedMode, since: number, described: number, releases: readonly number[] = []) {
  if (mode.mode === 'immediate') return since
  if (mode.mode === 'after') return timeAfter(since, mode.seconds * 1000)
  if (mode.mode === 'manual') return firstAfter(releases, since)
  return described
}

const withNewReachedId = (before: StoredModes): StoredModes => ({
  ...before,
  reached: randomBytes(8).toString('hex'),
})

/** Changes a mode, and adds the previous mode to the history so that past transitions remain unchanged. */
function withMode(before: StoredModes, machine: string, mode: TransitionMode, now: number): StoredModes {
  const last = before.modes[machine] ?? asDescribed
  const all = [...(before.past?.[machine] ?? []), { mode: last, until: now }]
  const past = all.length > pastInFull ? significantModes(all, before.releases[machine]) : all
  if (past.length > limits.past) throw limitProblem(`The mode of '${machine}' was changed`, limits.past)
  return {
    ...before,
    modes: { ...before.modes, [machine]: mode },
    past: { ...before.past, [machine]: past },
  }
}

function withRelease(before: StoredModes, machine: string, at: number): StoredModes {
  const releases = [...(before.releases[machine] ?? []), at]
  if (releases.length > limits.releases) {
    throw limitProblem(`'${machine}' was advanced manually`, limits.releases)
  }
  return { ...before, releases: { ...before.releases, [machine]: releases } }
}

const limitProblem = (what: string, limit: number) =>
  problem('INVALID_STATE', { detail: `${what} ${limit} times, which is the maximum. Reset the world first.` })

/**
 * Removes past modes that had no effect, which are manual modes without a release and modes that are the same as the
 * previous mode.
 */
function significantModes(past: readonly PastMode[], releases: readonly number[] = []): PastMode[] {
  const found: PastMode[] = []
  let releasedUntil = 0
  for (const one of past) {
    if (one.mode.mode === 'manual') {
      const next = firstAfter(releases, releasedUntil)
      if (next === undefined || next > one.until) continue
      releasedUntil = one.until
    }
    if (isDeepStrictEqual(found.at(-1)?.mode, one.mode)) found.pop()
    found.push(one)
  }
  return found
}

/** Returns the first time after the given time in a sorted list. */
function firstAfter(moments: readonly number[], moment: number): number | undefined {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle] ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return moments[low]
}

/**
 * After the clock is set back, removes history entries that are later than the given time. Otherwise, entries that are
 * added later would have earlier times, and the history would no longer be sorted by time.
 */
function rewound(before: StoredModes, to: number): StoredModes {
  const releases = Object.entries(before.releases).map(([id, moments]) => [
    id,
    moments.filter((at) => at <= to),
  ])
  const past = Object.entries(before.past ?? {}).map(([id, modes]) => {
    const at = modes.findIndex(({ until }) => until > to)
    return [
      id,
      at === -1
        ? modes
        : modes.slice(0, at + 1).map((one, index) => (index === at ? { ...one, until: to } : one)),
    ]
  })
  return { ...before, releases: Object.fromEntries(releases), past: Object.fromEntries(past) }
}
