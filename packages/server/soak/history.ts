/** A request and its response, as recorded by a client. */
export type HistoryEvent = CounterEvent | RaceEvent | StatusEvent

interface Asked {
  /** The client's time before it sent the request. `ended` is the time after the response arrived. */
  readonly started: number
  readonly ended: number
}

/**
 * A change to a resource that counts its changes. Each `update` writes a unique value (`mark`), and the response
 * contains the new count.
 */
export interface CounterEvent extends Asked {
  readonly kind: 'update' | 'read'
  readonly key: string
  /** `unknown` means that no response arrived, so it isn't known whether the change was made. */
  readonly outcome: 'done' | 'unknown'
  readonly count: number
  readonly mark: string
}

/** A request to create a resource with a name that several clients want. Only one of them can get it. */
export interface RaceEvent extends Asked {
  readonly kind: 'claim'
  readonly key: string
  readonly outcome: 'won' | 'refused' | 'unknown'
}

/** An observation of a state that must never go backward. */
export interface StatusEvent extends Asked {
  readonly kind: 'status'
  readonly key: string
  /** The position of the state in its lifecycle. */
  readonly rank: number
}

/** The state after all clients have finished. */
export interface FinalState {
  readonly counters: ReadonlyMap<string, { readonly count: number; readonly mark: string }>
  /**
   * The names that exist, out of all the names that clients requested. If a list contains a name several times, so does
   * this one.
   */
  readonly names: readonly string[]
  /** A description of everything that may exist only once. */
  readonly once: readonly string[]
}
