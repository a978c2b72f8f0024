import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateMachine, StateTransition, StoredState } from './state-machine.ts'

/** Decides when what time does by itself happens, in place of the facts: a sandbox may want it otherwise. */
export interface TransitionPace {
  /** The moment of a transition from a state that was entered at `since`: undefined for not yet. */
  timeOf(move: PacedTransition, since: number, now: number): number | undefined
  /** The same for who is shown something else; absent where that makes no difference. */
  readonly unobserved?: TransitionPace | undefined
}

/** A transition that time is about to make. */
export interface PacedTransition {
  /** Whose it is. */
  readonly stored: StoredState
  readonly machine: StateMachine
  readonly transition: StateTransition
  /** Its moment by the facts. */
  readonly described: number
}

const current = new AsyncLocalStorage<TransitionPace>()

/** Runs the work at a pace. Without one, asking for it costs nothing. */
export function atPace<T>(pace: TransitionPace | undefined, work: () => Promise<T>): Promise<T> {
  return pace ? current.run(pace, work) : work()
}

/** The pace of the request that is being served, if it has one. */
export const currentPace = (): TransitionPace | undefined => current.getStore()

/** Does what looks at the state of one resource to say something of another: nobody has seen that state then. */
export function unobserved<T>(look: () => T): T {
  const pace = currentPace()?.unobserved
  return pace ? current.run(pace, look) : look()
}
