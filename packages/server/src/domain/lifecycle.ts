/** A lifecycle from the specification. */
export interface StateMachine {
  readonly title?: string
  readonly initial: string
  readonly transitions: readonly StateTransition[]
}

export interface StateTransition {
  readonly from: string
  readonly to: string
  /**
   * The cause of the transition. `time` transitions occur automatically after `afterSeconds`. All other transitions are
   * triggered by an operation or an event.
   */
  readonly trigger: string
  readonly afterSeconds?: number
}

/**
 * The last state that was set explicitly, and the time when it was set. The server calculates later states from the
 * clock.
 */
export interface StoredState {
  /** The resource's ID, which distinguishes resources with the same lifecycle. */
  readonly id?: string
  readonly state: string
  /** The time when the state was set, in milliseconds since the Unix epoch. */
  readonly since: number
  /** The preferred next state if several states can follow. */
  readonly target?: string
}
