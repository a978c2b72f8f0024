import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateMachine, StateTransition, StoredState } from './lifecycle.ts'

/** Determines when automatic transitions occur in the sandbox. */
export interface TransitionPace {
  /** Returns the time of a transition from a state that was entered at `since`, or undefined if it isn't due. */
  timeOf(move: PacedTransition, since: number, now: number): number | undefined
  /** The pace for reads that don't count as observations, if it is different. */
  readonly unobserved?: TransitionPace | undefined
}

/** A pending time-based transition. */
export interface PacedTransition {
  /** The resource's stored state. */
  readonly stored: StoredState
  readonly machine: StateMachine
  readonly transition: StateTransition
  /** The time at which the transition would occur at the default pace. */
  readonly described: number
}

const current = new AsyncLocalStorage<TransitionPace>()

/** Runs the work at the given pace. */
export function atPace<T>(pace: TransitionPace | undefined, work: () => Promise<T>): Promise<T> {
  return pace ? current.run(pace, work) : work()
}

/** Returns the current request's pace, if any. */
export const currentPace = (): TransitionPace | undefined => current.getStore()

/** Reads a state to calculate the state of a different resource. This doesn't count as an observation. */
export function unobserved<T>(look: () => T): T {
  const pace = currentPace()?.unobserved
  return pace ? current.run(pace, look) : look()
}
