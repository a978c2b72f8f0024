/** The requests from clients and the responses, as input for the checker. */
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
  /** Without a response, it is unknown whether the change happened. */
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

/** An observation of a state that never goes back. */
export interface StatusEvent extends Asked {
  readonly kind: 'status'
  readonly key: string
  /** The position of the state in its lifecycle. */
  readonly rank: number
}

/** The state after all clients have finished. */
export interface FinalState {
  readonly counters: ReadonlyMap<string, { readonly count: number; readonly mark: string }>
  /** Names that were requested and exist, repeated if a list repeats them. */
  readonly names: readonly string[]
  /** Events that may happen only once, as texts. */
  readonly once: readonly string[]
}
