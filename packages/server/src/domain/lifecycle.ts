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
   * `time` transitions happen by themselves after `afterSeconds`. All others are triggered by an operation or
   * event.
   */
  readonly trigger: string
  readonly afterSeconds?: number
}

/** The last explicitly set state and its time. Later states are calculated from the clock. */
export interface StoredState {
  /** Distinguishes resources that share a lifecycle. */
  readonly id?: string
  readonly state: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Preferred next state if time could lead to several. */
  readonly target?: string
}
