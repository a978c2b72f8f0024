import type { CallContext } from './fetch.ts'

/** Told of one call from its start to its end. */
export interface CallObservation {
  /** Sent with every attempt, for example `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** An attempt ended; without an error it succeeded. */
  attempt?(error?: unknown): void
  /** The call ended; `error` is what its caller gets. */
  end?(error?: unknown): void
}

/** Called when a call starts. */
export type Observer = (context: CallContext) => CallObservation

/** Calls `tell` when the work ends, whichever way. Without an observer it costs nothing. */
export function tell<T>(work: Promise<T>, tell: ((error?: unknown) => void) | undefined): Promise<T> {
  if (!tell) return work
  return work.then(
    (value) => {
      tell()
      return value
    },
    (error: unknown) => {
      tell(error)
      throw error
    },
  )
}
