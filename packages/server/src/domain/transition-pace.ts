import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateMachine, StateTransition, StoredState } from './lifecycle.ts'

/** Determines when automatic transitions happen in the sandbox. */
export interface TransitionPace {
  /**
   * Returns the time of a transition, or undefined if the transition isn't due. The resource entered its current state
   * at `since`.
   */
  timeOf(move: PacedTransition, since: number, now: number): number | undefined
  /** The pace for internal reads, if it is different. Internal reads don't count as observations. */
  readonly unobserved?: TransitionPace | undefined
}

/** A pending time-based transition. */
export interface PacedTransition {
  /** The resource's stored state. */
  readonly stored: StoredState
  readonly machine: StateMachine
  readonly transition: StateTransition
  /** The time when the transition would occur at the default pace. */
  readonly described: number
}

const current = new AsyncLocalStorage<TransitionPace>()

export function atPace<T>(pace: TransitionPace | undefined, work: () => Promise<T>): Promise<T> {
  return pace ? current.run(pace, work) : work()
}

/** Returns the current request's pace, or undefined if all transitions occur at the default pace. */
export const currentPace = (): TransitionPace | undefined => current.getStore()

/**
 * Reads a state that is only needed to calculate the state of another resource. Such a read doesn't count as an
 * observation.
 */
export function unobserved<T>(look: () => T): T {
  const pace = currentPace()?.unobserved
  return pace ? current.run(pace, look) : look()
}
