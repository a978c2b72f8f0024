import { states } from '@svc-admin/types'
import type { StateMachine, StateTransition } from '../domain/state-machine.ts'
import type { TransitionPace } from '../domain/transition-pace.ts'
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
}

/** How lifecycles move on in a world. */
export interface TransitionModes {
  /** Undefined where everything is as described. `counts` for a request that looks, not one that changes. */
  pace(counts: boolean): TransitionPace | undefined
  all(): Readonly<Record<string, TransitionMode>>
  set(machine: string, mode: TransitionMode): Promise<void>
  /** Lets what is in the lifecycle's states since before a moment take one step. */
  release(machine: string, at: number): Promise<void>
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
  const reads = new Map<string, { count: number; at: number | undefined }>()
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
  /** Resources that entered a state in the same millisecond are counted as one. */
  const readMoment = (key: string, wanted: number, now: number, seen: Set<string>, counts: boolean) => {
    const state = reads.get(key) ?? { count: 0, at: undefined }
    if (counts && !seen.has(key) && state.at === undefined) {
      seen.add(key)
      state.count += 1
      if (state.count > wanted) state.at = now
      if (reads.size >= readsLimit) reads.clear()
      reads.set(key, state)
    }
    return state.at
  }
  return {
    load: async () => {
      reads.clear()
      await refresh()
    },
    ...(remembers ? {} : { refresh }),
    reset: (within) => settings.remove(within, setting),
    all: () => Object.fromEntries(pacedMachines.map((id) => [id, kept.modes[id] ?? { mode: 'described' }])),
    set: (machine, mode) => keep((before) => ({ ...before, modes: { ...before.modes, [machine]: mode } })),
    release: (machine, at) =>
      keep((before) => {
        const earlier = before.releases[machine] ?? []
        return { ...before, releases: { ...before.releases, [machine]: [...earlier, at].slice(-1000) } }
      }),
    pace: (counts) => {
      if (Object.keys(kept.modes).length === 0) return undefined
      const seen = new Set<string>()
      return {
        momentOf: ({ machine: { title }, transition }, since, now) => {
          if ((transition.afterSeconds ?? 0) > longestTransition) return 'described'
          const machine = idOfTitle.get(title) ?? ''
          const mode = kept.modes[machine] ?? { mode: 'described' }
          if (mode.mode === 'described') return 'described'
          if (mode.mode === 'immediate') return since
          if (mode.mode === 'after') return since + mode.seconds * 1000
          if (mode.mode === 'manual') return kept.releases[machine]?.find((at) => at > since)
          return readMoment(`${machine} ${transition.from} ${since}`, mode.reads, now, seen, counts)
        },
      }
    },
  }
}
