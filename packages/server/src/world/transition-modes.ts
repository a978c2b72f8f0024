import { states } from '@svc-admin/types'
import type { StateMachine, StateTransition } from '../domain/state-machine.ts'
import { momentAfter } from '../domain/timestamp.ts'
import type { PacedMove, TransitionPace } from '../domain/transition-pace.ts'
import type { Database, Session, Transaction } from '../persistence/database.ts'
import { settings } from '../persistence/settings.ts'

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
}

interface PastMode {
  readonly mode: TransitionMode
  readonly until: number
}

/** How lifecycles move on in a world. */
export interface TransitionModes {
  /** Undefined where everything is as described. `counts` for a request that looks, not one that changes. */
  pace(counts: boolean): TransitionPace | undefined
  all(): Readonly<Record<string, TransitionMode>>
  /** From now on: what has happened stays. */
  set(machine: string, mode: TransitionMode, now: number): Promise<void>
  /** Lets what is in the lifecycle's states since before a moment take one step. */
  release(machine: string, at: number): Promise<void>
  /** Called when the clock went back to a moment: what lies ahead of that has not happened. */
  rewind(to: number): Promise<void>
  /** Everything as described, once the transaction is committed and `load` has read it. */
  reset(within: Transaction): Promise<void>
  /** Reads again what the database says, for a world that is another now: what was seen of it counts no more. */
  load(): Promise<void>
  /** The same before each request, where another process may have said something else. */
  readonly refresh?: () => Promise<void>
}

/** Alerts move on with their delays, and notify: their events and the clock say when. */
const unpaced = ['alert']

/** The lifecycles that have modes. */
export const pacedMachines: readonly string[] = Object.entries<StateMachine>(states)
  .filter(([id, { transitions }]) => !unpaced.includes(id) && transitions.some(isByTime))
  .map(([id]) => id)

function isByTime({ trigger }: StateTransition): boolean {
  return trigger === 'time'
}

/** By title, which a lifecycle that is bound to fail keeps. */
const idOfTitle = new Map(Object.entries<StateMachine>(states).map(([id, { title }]) => [title, id]))

/** What takes longer is no transition but a lifetime, such as that of a download: the clock decides. */
const longestTransition = 3600

const nothing: Kept = { modes: {}, releases: {} }
const asDescribed: TransitionMode = { mode: 'described' }
const pastLimit = 100
const setting = 'transitions'
const readsLimit = 10_000

/**
 * Builds the modes that a world's database holds.
 *
 * @param remembers true if nobody else can change them. How often a state was seen each process counts for itself.
 */
export async function createTransitionModes(
  database: Database,
  remembers: boolean,
): Promise<TransitionModes> {
  let kept = nothing
  const reads = createReads()
  const read = async (session: Session): Promise<Kept> => {
    const text = await settings.get(session, setting)
    return text === undefined ? nothing : JSON.parse(text)
  }
  const refresh = async () => {
    kept = await read(database)
  }
  const keep = async (change: (before: Kept) => Kept) => {
    kept = await database.transaction(async (transaction) => {
      const next = change(await read(transaction))
      await settings.set(transaction, setting, JSON.stringify(next))
      return next
    })
  }
  await refresh()
  const timed = (
    mode: Exclude<TransitionMode, { mode: 'reads' }>,
    machine: string,
    since: number,
    described: number,
  ) => {
    if (mode.mode === 'immediate') return since
    if (mode.mode === 'after') return momentAfter(since, mode.seconds * 1000)
    if (mode.mode === 'manual') return kept.releases[machine]?.find((at) => at > since)
    return described
  }
  const momentOf = (
    { kept: { id = '' }, machine: { title }, transition, described }: PacedMove,
    since: number,
    readUnder: (key: string, reads: number) => number | undefined,
  ) => {
    if ((transition.afterSeconds ?? 0) > longestTransition) return described
    const machine = idOfTitle.get(title) ?? ''
    const key = [machine, transition.from, since, id].join(' ')
    for (const { mode, until } of kept.past?.[machine] ?? []) {
      const at = mode.mode === 'reads' ? reads.moment(key) : timed(mode, machine, since, described)
      if (since < until && at !== undefined && at <= until) return at
    }
    const mode = kept.modes[machine] ?? asDescribed
    return mode.mode === 'reads' ? readUnder(key, mode.reads) : timed(mode, machine, since, described)
  }
  return {
    load: async () => {
      reads.forget()
      await refresh()
    },
    ...(remembers ? {} : { refresh }),
    reset: (within) => settings.remove(within, setting),
    all: () => Object.fromEntries(pacedMachines.map((id) => [id, kept.modes[id] ?? asDescribed])),
    set: (machine, mode, now) => keep((before) => changed(before, machine, mode, now)),
    release: (machine, at) =>
      keep((before) => {
        const earlier = before.releases[machine] ?? []
        return { ...before, releases: { ...before.releases, [machine]: [...earlier, at].slice(-1000) } }
      }),
    rewind: async (to) => {
      reads.rewind(to)
      if (kept !== nothing) await keep((before) => rewound(before, to))
    },
    pace: (counts) => {
      if (Object.keys(kept.modes).length === 0) return undefined
      const seen = new Set<string>()
      return {
        momentOf: (move, since, now) =>
          momentOf(move, since, (key, wanted) =>
            counts ? reads.count(key, wanted, now, seen) : reads.moment(key),
          ),
      }
    },
  }
}

/** How often the states of resources were seen, and when that had been often enough. */
function createReads() {
  const known = new Map<string, { readonly count: number; readonly at: number | undefined }>()
  const moment = (key: string) => known.get(key)?.at
  return {
    moment,
    /** @param seen the states that this request has seen, which count once. */
    count: (key: string, wanted: number, now: number, seen: Set<string>): number | undefined => {
      const { count, at } = known.get(key) ?? { count: 0, at: undefined }
      if (at !== undefined || seen.has(key)) return at
      seen.add(key)
      if (known.size >= readsLimit) known.clear()
      known.set(key, { count: count + 1, at: count + 1 > wanted ? now : undefined })
      return moment(key)
    },
    rewind: (to: number) => {
      for (const [key, { at = 0 }] of known) if (at > to) known.delete(key)
    },
    forget: () => known.clear(),
  }
}

/** What has happened under one mode stays when another comes. */
function changed(before: Kept, machine: string, mode: TransitionMode, now: number): Kept {
  const last = before.modes[machine] ?? asDescribed
  const past = [...(before.past?.[machine] ?? []), { mode: last, until: now }].slice(-pastLimit)
  return {
    ...before,
    modes: { ...before.modes, [machine]: mode },
    past: { ...before.past, [machine]: past },
  }
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
