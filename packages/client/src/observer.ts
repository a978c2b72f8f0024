import type { CallContext } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/** Told of one call from its start to its end. What it throws is told on the console, and fails no call. */
export interface CallObservation {
  /** Sent with every attempt, for example `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** An attempt ended; without an error it succeeded. */
  attempt?(error?: unknown): void
  /** The call ended; `error` is what its caller gets. */
  end?(error?: unknown): void
}

/**
 * Called when a call starts, and gives its observation back at once: nothing waits for a promise. What it throws is told
 * on the console, and the call goes on without an observation.
 */
export type Observer = (context: CallContext) => CallObservation

/**
 * Tells an observation when the work ends, whichever way. What it throws is told on the console and fails no call.
 * Without an observation it costs nothing.
 */
export function tell<T>(work: Promise<T>, event: 'attempt' | 'end', of?: CallObservation): Promise<T> {
  if (of) {
    const notify = (error?: unknown) => tolerate(() => of[event]?.(error))
    work.then(() => notify(), notify)
  }
  return work
}
