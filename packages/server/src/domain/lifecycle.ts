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
   * `time` transitions occur automatically after `afterSeconds`. All other transitions are triggered by an operation or
   * an event.
   */
  readonly trigger: string
  readonly afterSeconds?: number
}

/** The last state that was set explicitly, with its time. Later states follow from the clock. */
export interface StoredState {
  /** Distinguishes between resources that have the same lifecycle. */
  readonly id?: string
  readonly state: string
  /** Milliseconds since the Unix epoch. */
  readonly since: number
  /** The preferred next state if several states can follow. */
  readonly target?: string
}
