import { states } from '@svc-admin/types'
import type { StateMachine, StoredState } from '../lifecycle.ts'
import { after, stateAt } from '../state-machine.ts'

const machine: StateMachine = states['search-index']
const building = 'BUILDING'
const built = 'READY'
/** The last state that is stored for an index before the index is removed. */
export const deleting = 'DELETING'
/** The specification's name for the state of a resource that no longer exists. */
const gone = 'gone'

/** The stored state of an index. */
export interface StoredIndex extends StoredState {
  /**
   * Whether an earlier definition was built, in which case queries use that definition until the latest definition is
   * built.
   */
  readonly built: boolean
}

export interface CurrentIndex {
  readonly status: string
  readonly queryable: boolean
}

export const initialIndex: string = machine.initial

/** Returns the current state of an index, or undefined if the index no longer exists. */
export function indexAt(stored: StoredIndex, now: number): CurrentIndex | undefined {
  const { state } = stateAt(machine, stored, now)
  if (state === gone) return undefined
  return { status: state, queryable: state !== deleting && (stored.built || state === built) }
}

/** Returns an index's state after a change to its definition, or undefined if the index is being removed. */
export function updated({ status, queryable }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status, 'operation:updateSearchIndex')
  return state === undefined ? undefined : { state, since: now, built: queryable }
}

/** Returns an index's state after a request to remove it, or undefined if the index is already being removed. */
export function removed({ status }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status, 'operation:deleteSearchIndex')
  return state === undefined ? undefined : { state, since: now, built: false }
}

/**
 * Returns an index's state after a failed build of its latest definition, or undefined if that build is complete or the
 * index is being removed. A build can fail before it starts.
 */
export function failed({ status, queryable }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status === initialIndex ? building : status, 'event')
  return state === undefined ? undefined : { state, since: now, built: queryable }
}
