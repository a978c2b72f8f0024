import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateMachine, StateTransition, StoredState } from './lifecycle.ts'

/** Changes when time-based transitions occur. Used by the sandbox. */
export interface TransitionPace {
  /**
   * Returns the time of a transition from a state that was entered at `since`, or undefined if the transition isn't due
   * yet.
   */
  timeOf(move: PacedTransition, since: number, now: number): number | undefined
  /** The pace for reads that don't count as observing the state. Absent if such reads use the same pace. */
  readonly unobserved?: TransitionPace | undefined
}

/** A pending time-based transition. */
export interface PacedTransition {
  /** The resource's stored state. */
  readonly stored: StoredState
  readonly machine: StateMachine
  readonly transition: StateTransition
  /** The transition's time according to the specification. */
  readonly described: number
}

const current = new AsyncLocalStorage<TransitionPace>()

/** Runs the work at the given pace. */
export function atPace<T>(pace: TransitionPace | undefined, work: () => Promise<T>): Promise<T> {
  return pace ? current.run(pace, work) : work()
}

/** Returns the current request's pace, if any. */
export const currentPace = (): TransitionPace | undefined => current.getStore()

/** Reads a state without counting this as an observation, to calculate another resource's state. */
export function unobserved<T>(look: () => T): T {
  const pace = currentPace()?.unobserved
  return pace ? current.run(pace, look) : look()
}
