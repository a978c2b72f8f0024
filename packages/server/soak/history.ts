/** A request and its response, as recorded by a client. */
export type HistoryEvent = CounterEvent | RaceEvent | StatusEvent

interface Asked {
  /** Time when the client sent the request. `ended` is the time when the client received the response. */
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
  /** `unknown` means that no response arrived, so the change may or may not have been made. */
  readonly outcome: 'done' | 'unknown'
  readonly count: number
  readonly mark: string
}

/** An attempt to create a resource with a name that several clients compete for. Only one client can get the name. */
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
   * The requested names that exist after all clients have finished. If the server lists a name more than once, this
   * array also contains the name more than once.
   */
  readonly names: readonly string[]
  /** Descriptions of all notifications, snapshots and open alerts that must be unique. */
  readonly once: readonly string[]
}
