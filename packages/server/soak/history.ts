/** Requests of clients and the responses that they got: the input of the checker. */
export type HistoryEvent = CounterEvent | RaceEvent | StatusEvent

interface Asked {
  /** Times on the client's clock, before the request was sent and after the response arrived. */
  readonly started: number
  readonly ended: number
}

/** A resource that counts its changes: `update` writes a unique mark, and the response contains the new count. */
export interface CounterEvent extends Asked {
  readonly kind: 'update' | 'read'
  readonly key: string
  /** Unknown without a response: the change may or may not have happened. */
  readonly outcome: 'done' | 'unknown'
  readonly count: number
  readonly mark: string
}

/** Several clients request the same name, which only one can get. */
export interface RaceEvent extends Asked {
  readonly kind: 'claim'
  readonly key: string
  readonly outcome: 'won' | 'refused' | 'unknown'
}

/** An observation of a state that never goes back. */
export interface StatusEvent extends Asked {
  readonly kind: 'status'
  readonly key: string
  /** Position of the state in its lifecycle. */
  readonly rank: number
}

/** The state after all clients have finished. */
export interface FinalState {
  readonly counters: ReadonlyMap<string, { readonly count: number; readonly mark: string }>
  /** Names that were requested and exist, as often as lists contain them. */
  readonly names: readonly string[]
  /** Events that may happen only once, each as text. */
  readonly once: readonly string[]
}
