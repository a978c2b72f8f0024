import { states } from '@svc-admin/types'
import type { StateMachine, StoredState } from '../lifecycle.ts'
import { after, stateAt } from '../state-machine.ts'

const machine: StateMachine = states['search-index']
const building = 'BUILDING'
const built = 'READY'
/** The last stored state of an index. It is removed some time later. */
export const deleting = 'DELETING'
/** The state of a removed resource in the specification. */
const gone = 'gone'

/** The stored progress of an index. */
export interface StoredIndex extends StoredState {
  /** True if an earlier definition was built. Queries continue to use it while the latest is being built. */
  readonly built: boolean
}

export interface CurrentIndex {
  readonly status: string
  readonly queryable: boolean
}

export const initialIndex: string = machine.initial

/** The current state of an index, or undefined if it was removed from every node. */
export function indexAt(stored: StoredIndex, now: number): CurrentIndex | undefined {
  const { state } = stateAt(machine, stored, now)
  if (state === gone) return undefined
  return { status: state, queryable: state !== deleting && (stored.built || state === built) }
}

/** The state of an index with a new definition, or undefined if it is being removed. */
export function updated({ status, queryable }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status, 'operation:updateSearchIndex')
  return state === undefined ? undefined : { state, since: now, built: queryable }
}

/** The state of an index after its removal was requested, or undefined if it is already being removed. */
export function removed({ status }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status, 'operation:deleteSearchIndex')
  return state === undefined ? undefined : { state, since: now, built: false }
}

/**
 * The state of an index whose latest definition can't be built, or undefined if it is already built or being
 * removed. A pending build counts as started.
 */
export function failed({ status, queryable }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status === initialIndex ? building : status, 'event')
  return state === undefined ? undefined : { state, since: now, built: queryable }
}
