import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateMachine, StateTransition, StoredState } from './lifecycle.ts'

/** Determines when automatic transitions occur in the sandbox. */
export interface TransitionPace {
  /**
   * Returns the time of a transition, or undefined if the transition isn't due. `since` is the time when the resource
   * entered its current state.
   */
  timeOf(move: PacedTransition, since: number, now: number): number | undefined
  /**
   * The pace for internal reads, if it differs from the pace for requests. Internal reads don't count as observations.
   */
  readonly unobserved?: TransitionPace | undefined
}

/** A pending time-based transition. */
export interface PacedTransition {
  /** The resource's stored state. */
  readonly stored: StoredState
  readonly machine: StateMachine
  readonly transition: StateTransition
  /** The time when the transition occurs at the default pace. */
  readonly described: number
}

const current = new AsyncLocalStorage<TransitionPace>()

export function atPace<T>(pace: TransitionPace | undefined, work: () => Promise<T>): Promise<T> {
  return pace ? current.run(pace, work) : work()
}

/** Returns the current request's pace, or undefined if all transitions occur at the default pace. */
export const currentPace = (): TransitionPace | undefined => current.getStore()

/** Reads a state only to calculate another resource's state. Such a read doesn't count as an observation. */
export function unobserved<T>(look: () => T): T {
  const pace = currentPace()?.unobserved
  return pace ? current.run(pace, look) : look()
}
