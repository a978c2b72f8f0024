/** The clients' requests and their responses, as input for the checker. */
export type HistoryEvent = CounterEvent | RaceEvent | StatusEvent

interface Asked {
  /** Times on the client's clock, before the request was sent and after the response arrived. */
  readonly started: number
  readonly ended: number
}

/**
 * A resource that counts its changes. Each `update` writes a unique mark, and the response contains the new count.
 */
export interface CounterEvent extends Asked {
  readonly kind: 'update' | 'read'
  readonly key: string
  /** If there is no response, the change may or may not have happened. */
  readonly outcome: 'done' | 'unknown'
  readonly count: number
  readonly mark: string
}

/** Several clients request the same name, but only one can get it. */
export interface RaceEvent extends Asked {
  readonly kind: 'claim'
  readonly key: string
  readonly outcome: 'won' | 'refused' | 'unknown'
}

/** An observation of a state that never goes backward. */
export interface StatusEvent extends Asked {
  readonly kind: 'status'
  readonly key: string
  /** The position of the state in its lifecycle. */
  readonly rank: number
}

/** The state after all clients have finished. */
export interface FinalState {
  readonly counters: ReadonlyMap<string, { readonly count: number; readonly mark: string }>
  /** Requested names that exist. If a list contains a name more than once, so does this array. */
  readonly names: readonly string[]
  /** Text descriptions of events that may happen only once. */
  readonly once: readonly string[]
}
