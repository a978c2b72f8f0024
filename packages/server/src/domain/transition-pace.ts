import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateMachine, StateTransition, StoredState } from './lifecycle.ts'

/** Overrides when time-based transitions happen, for the sandbox. */
export interface TransitionPace {
  /** Time of a transition from a state entered at `since`; undefined if it is not due yet. */
  timeOf(move: PacedTransition, since: number, now: number): number | undefined
  /** The pace for reads that don't count as observing the state; absent if there is no difference. */
  readonly unobserved?: TransitionPace | undefined
}

/** A pending time-based transition. */
export interface PacedTransition {
  /** The stored state of the resource. */
  readonly stored: StoredState
  readonly machine: StateMachine
  readonly transition: StateTransition
  /** Transition time according to the specification. */
  readonly described: number
}

const current = new AsyncLocalStorage<TransitionPace>()

/** Runs work at the given pace. */
export function atPace<T>(pace: TransitionPace | undefined, work: () => Promise<T>): Promise<T> {
  return pace ? current.run(pace, work) : work()
}

/** The pace of the current request, if any. */
export const currentPace = (): TransitionPace | undefined => current.getStore()

/** Reads a state without counting it as observed, to calculate the state of another resource. */
export function unobserved<T>(look: () => T): T {
  const pace = currentPace()?.unobserved
  return pace ? current.run(pace, look) : look()
}
