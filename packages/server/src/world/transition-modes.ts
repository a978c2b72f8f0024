import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { states } from '@svc-admin/types'
import { problem } from '../domain/problem.ts'
import type { StateMachine, StateTransition } from '../domain/state-machine.ts'
import { timeAfter } from '../domain/timestamp.ts'
import { atPace, type TransitionPace } from '../domain/transition-pace.ts'
import type { Database, Session, Transaction } from '../persistence/database.ts'
import { reachedStates } from '../persistence/reached-states.ts'
import { settings } from '../persistence/settings.ts'
import { createReadCounts, momentsLimit, type ReadCounts } from './read-counts.ts'

/** When a lifecycle moves on by itself. */
export type TransitionMode =
  | { readonly mode: 'described' }
  | { readonly mode: 'immediate' }
  | { readonly mode: 'after'; readonly seconds: number }
  /** Once so many requests have seen the state. */
  | { readonly mode: 'reads'; readonly reads: number }
  /** When somebody says so. */
  | { readonly mode: 'manual' }

/** What is kept of the modes of a world, by lifecycle. */
interface Kept {
  readonly modes: Readonly<Record<string, TransitionMode>>
  /** Moments at which somebody let a lifecycle move on. */
  readonly releases: Readonly<Record<string, readonly number[]>>
  /** What the modes were before, the earliest first; absent where they have not been changed. */
  readonly past?: Readonly<Record<string, readonly PastMode[]>> | undefined
  /** Another one whenever the moments change at which a state had been seen often enough; absent without any. */
  readonly reached?: string | undefined
}

type Change = (before: Kept) => Kept

interface PastMode {
  readonly mode: TransitionMode
  readonly until: number
}

/** Called as soon as a transaction is committed. It reads nothing: that could fail, and the world is another already. */
export type WhenCommitted = () => void

/** How lifecycles move on in a world. */
export interface TransitionModes {
  /**
   * Does the work at the pace of the modes, and keeps what it has led to. `counts` for a request that looks, not one that
   * changes.
   */
  during<T>(counts: boolean, work: () => Promise<T>): Promise<T>
  all(): Readonly<Record<string, TransitionMode>>
  /**
   * From now on: what has happened stays.
   *
   * @param on the database as somebody has it who may be held to a turn of the clock.
   * @throws {Problem} `INVALID_STATE` where too much of that would be kept.
   */
  set(modes: ReadonlyMap<string, TransitionMode>, now: number, on?: Database): Promise<void>
  /**
   * Lets what is in the lifecycles' states since before a moment take one step.
   *
   * @param on as for `set`.
   * @throws {Problem} `INVALID_STATE` where too much would be kept of what has happened.
   */
  release(machines: readonly string[], at: number, on?: Database): Promise<void>
  /** With the clock that goes back to a moment: what lies ahead of that has not happened. */
  rewind(to: number, within: Transaction): Promise<WhenCommitted>
  /** Everything as described, once `load` has read it in the same transaction. */
  reset(within: Transaction): Promise<void>
  /** Reads what a world will be that becomes another: what was seen of it counts no more. */
  load(within: Session): Promise<WhenCommitted>
  /** The same before each request, where another process may have said something else. */
  readonly refresh?: () => Promise<void>
}

/** Alerts move on with their delays, and notify: their events and the clock say when. */
const unpaced = ['alert']

/** What shows another lifecycle in its own words, which moves on as that does. */
const views = new Map(
  Object.entries<StateMachine & { readonly viewOf?: string }>(states).map(([id, { viewOf }]) => [id, viewOf]),
)

/** The lifecycles that have modes. */
export const pacedMachines: readonly string[] = Object.entries<StateMachine>(states)
  .filter(([id, { transitions }]) => !unpaced.includes(id) && !views.get(id) && transitions.some(isByTime))
  .map(([id]) => id)

/** What is said of a name that is none of those. */
export function notPaced(name: string): string {
  const shown = `'${name.slice(0, 100)}'`
  const origin = views.get(name)
  if (origin !== undefined)
    return `${shown} shows the lifecycle '${origin}', and moves on by the mode of that`
  return `${shown} is no lifecycle with a mode: those are ${pacedMachines.join(', ')}, and * stands for all`
}

function isByTime({ trigger }: StateTransition): boolean {
  return trigger === 'time'
}

/** By title, which a lifecycle that is bound to fail keeps. */
const idOfTitle = new Map(Object.entries<StateMachine>(states).map(([id, { title }]) => [title, id]))

/** What takes longer is no transition but a lifetime, such as that of a download: the clock decides. */
const longestTransition = 3600

const nothing: Kept = { modes: {}, releases: {} }
const asDescribed: TransitionMode = { mode: 'described' }
const setting = 'transitions'

/** So many modes of a lifecycle are kept as they were; of more, those alone that tell something. */
const pastInFull = 100

/**
 * So much is kept of each lifecycle at most. To forget the oldest would undo what it has led to, so no more is taken.
 * All of it is read before each request where several processes share a database.
 */
const limits = { past: 1000, releases: 10_000 }

/**
 * Builds the modes that a world's database holds.
 *
 * @param remembers true if nobody else can change them. How often a state was seen each process counts for itself, until
 * that was often enough.
 */
export async function createTransitionModes(
  database: Database,
  remembers: boolean,
): Promise<TransitionModes> {
  let kept = nothing
  const reads = createReadCounts()
  /** Which of the moments that are kept are known. */
  let known: string | undefined
  const refresh = async () => {
    kept = await read(database)
    if (kept.reached === known) return
    reads.replace(await momentsIn(database))
    known = kept.reached
  }
  const write = async (transaction: Transaction, before: Kept, after: Kept): Promise<WhenCommitted> => {
    await settings.set(transaction, setting, JSON.stringify(after))
    return () => {
      kept = after
      // Unless another process has reached something too, which is read with the next request.
      if (before.reached === known) known = after.reached
    }
  }
  const keep = async (on: Database, change: Change, besides = async (_: Transaction) => {}) => {
    const kept = await on.transaction(async (transaction) => {
      await besides(transaction)
      const before = await read(transaction)
      return write(transaction, before, change(before))
    })
    kept()
  }
  const keepReached = async () => {
    const moments = reads.takeNew()
    if (moments.length === 0) return
    try {
      await keep(database, reachedAnew, async (transaction) => {
        for (const [key, at] of moments) await reachedStates.put(transaction, key, at)
      })
    } catch (error) {
      reads.giveBack(moments)
      throw error
    }
  }
  await refresh()
  return {
    load: async (within) => {
      const next = await read(within)
      const moments = await momentsIn(within)
      return () => {
        reads.forget()
        reads.replace(moments)
        kept = next
        known = next.reached
      }
    },
    ...(remembers ? {} : { refresh }),
    reset: (within) => settings.remove(within, setting),
    all: () => Object.fromEntries(pacedMachines.map((id) => [id, kept.modes[id] ?? asDescribed])),
    set: (modes, now, on = database) =>
      keep(on, (before) =>
        [...modes].reduce((kept, [machine, mode]) => changed(kept, machine, mode, now), before),
      ),
    release: (machines, at, on = database) =>
      keep(on, (before) => machines.reduce((kept, machine) => released(kept, machine, at), before)),
    rewind: async (to, within) => {
      const before = await read(within)
      const whenKept =
        before === nothing ? undefined : await write(within, before, reachedAnew(rewound(before, to)))
      return () => {
        reads.rewind(to)
        whenKept?.()
      }
    },
    during: (counts, work) => {
      const pace = paceOf(kept, reads, counts)
      return pace ? atPace(pace, work).finally(keepReached) : work()
    },
  }
}

async function read(session: Session): Promise<Kept> {
  const text = await settings.get(session, setting)
  return text === undefined ? nothing : JSON.parse(text)
}

const momentsIn = (session: Session) => reachedStates.latest(session, momentsLimit)

/** When lifecycles move on by modes; undefined where everything is as described. */
function paceOf(kept: Kept, reads: ReadCounts, counts: boolean): TransitionPace | undefined {
  if (Object.keys(kept.modes).length === 0) return undefined
  const seen = new Set<string>()
  return {
    unobserved: counts ? paceOf(kept, reads, false) : undefined,
    timeOf: ({ stored: { id = '' }, machine: { title }, transition, described }, since, now) => {
      if ((transition.afterSeconds ?? 0) > longestTransition) return described
      const machine = idOfTitle.get(title) ?? ''
      const key = [machine, transition.from, since, id].join(' ')
      const timed = (mode: TimedMode) => momentBy(mode, since, described, kept.releases[machine])
      for (const { mode, until } of kept.past?.[machine] ?? []) {
        const at = mode.mode === 'reads' ? reads.moment(key) : timed(mode)
        if (since < until && at !== undefined && at <= until) return at
      }
      const mode = kept.modes[machine] ?? asDescribed
      if (mode.mode !== 'reads') return timed(mode)
      return counts ? reads.count(key, mode.reads, now, seen) : reads.moment(key)
    },
  }
}

type TimedMode = Exclude<TransitionMode, { mode: 'reads' }>

/** When a state is left that was entered at a moment. */
function momentBy(mode: TimedMode, since: number, described: number, releases: readonly number[] = []) {
  if (mode.mode === 'immediate') return since
  if (mode.mode === 'after') return timeAfter(since, mode.seconds * 1000)
  if (mode.mode === 'manual') return firstAfter(releases, since)
  return described
}

const reachedAnew = (before: Kept): Kept => ({ ...before, reached: randomBytes(8).toString('hex') })

/** What has happened under one mode stays when another comes. */
function changed(before: Kept, machine: string, mode: TransitionMode, now: number): Kept {
  const last = before.modes[machine] ?? asDescribed
  const all = [...(before.past?.[machine] ?? []), { mode: last, until: now }]
  const past = all.length > pastInFull ? telling(all, before.releases[machine]) : all
  if (past.length > limits.past) throw tooMuch(`'${machine}' has changed its mode ${limits.past} times`)
  return {
    ...before,
    modes: { ...before.modes, [machine]: mode },
    past: { ...before.past, [machine]: past },
  }
}

function released(before: Kept, machine: string, at: number): Kept {
  const releases = [...(before.releases[machine] ?? []), at]
  if (releases.length > limits.releases) {
    throw tooMuch(`'${machine}' was advanced by hand ${limits.releases} times`)
  }
  return { ...before, releases: { ...before.releases, [machine]: releases } }
}

const tooMuch = (what: string) =>
  problem('INVALID_STATE', { detail: `${what}, and what has happened stays: the world must be reset first.` })

/** Those modes that decide something which no other says: nobody let go in a manual one, or the next is the same. */
function telling(past: readonly PastMode[], releases: readonly number[] = []): PastMode[] {
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

/** The first of some moments in their order that is after another. */
function firstAfter(moments: readonly number[], moment: number): number | undefined {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle] ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return moments[low]
}

/** What lies ahead of a clock that went back has not happened: it would keep what comes from being the next. */
function rewound(before: Kept, to: number): Kept {
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
