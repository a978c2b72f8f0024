/** A request and its response, as input for the checker. */
export type HistoryEvent = CounterEvent | RaceEvent | StatusEvent

interface Asked {
  /** The time by the client's clock before the request was sent. `ended` is the time after the response arrived. */
  readonly started: number
  readonly ended: number
}

/**
 * A change to a resource that counts its changes. Each `update` writes a unique mark, and the response contains the new
 * count.
 */
export interface CounterEvent extends Asked {
  readonly kind: 'update' | 'read'
  readonly key: string
  /** `unknown` means that there was no response, so the change may or may not have happened. */
  readonly outcome: 'done' | 'unknown'
  readonly count: number
  readonly mark: string
}

/** A request for a name that several clients want, although only one of them can get it. */
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
  /** The requested names that exist. A name that a list contains more than once is also repeated here. */
  readonly names: readonly string[]
  /** Descriptions of events that may happen only once. */
  readonly once: readonly string[]
}
