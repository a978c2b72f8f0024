/** What a client asked and what it was told: the material that the checker judges. */
export type HistoryEvent = CounterEvent | RaceEvent | StatusEvent

interface Asked {
  /** Moments of the client's own clock, before the request was sent and after the answer came. */
  readonly started: number
  readonly ended: number
}

/** A resource that counts its changes: `update` writes a mark that nobody else writes, and is told the new count. */
export interface CounterEvent extends Asked {
  readonly kind: 'update' | 'read'
  readonly key: string
  /** Unknown if no answer came: the change may have been made, or not. */
  readonly outcome: 'done' | 'unknown'
  readonly count: number
  readonly mark: string
}

/** Several ask for the same name, which one may have. */
export interface RaceEvent extends Asked {
  readonly kind: 'claim'
  readonly key: string
  readonly outcome: 'won' | 'refused' | 'unknown'
}

/** A state that only goes forward was seen. */
export interface StatusEvent extends Asked {
  readonly kind: 'status'
  readonly key: string
  /** How far it had come. */
  readonly rank: number
}

/** What is there when all is over. */
export interface FinalState {
  readonly counters: ReadonlyMap<string, { readonly count: number; readonly mark: string }>
  /** Names that were claimed and are there, as often as they are listed. */
  readonly names: readonly string[]
  /** What may be there once only, each written as a text. */
  readonly once: readonly string[]
}
