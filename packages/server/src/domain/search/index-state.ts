import { states } from '@svc-admin/types'
import { after, type StateMachine, type StoredState, stateAt } from '../state-machine.ts'

const machine: StateMachine = states['search-index']
const building = 'BUILDING'
const built = 'READY'
/** The last state that is kept of an index: it is gone some time after. */
export const deleting = 'DELETING'
/** What the facts call the state of a resource that is no more. */
const gone = 'gone'

/** What is kept of how far an index has come. */
export interface StoredIndex extends StoredState {
  /** True if an earlier definition was built, so that queries go on while the latest is not. */
  readonly built: boolean
}

export interface CurrentIndex {
  readonly status: string
  readonly queryable: boolean
}

export const initialIndex: string = machine.initial

/** How far an index has come by now, or undefined if its removal has reached every node. */
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

/** The state of an index that is removed, or undefined if that has begun already. */
export function removed({ status }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status, 'operation:deleteSearchIndex')
  return state === undefined ? undefined : { state, since: now, built: false }
}

/**
 * The state of an index whose latest definition cannot be built, or undefined if it is built or being removed.
 * One that waits is picked up at once.
 */
export function failed({ status, queryable }: CurrentIndex, now: number): StoredIndex | undefined {
  const state = after(machine, status === initialIndex ? building : status, 'event')
  return state === undefined ? undefined : { state, since: now, built: queryable }
}
