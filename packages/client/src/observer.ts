import type { CallContext } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/**
 * Observes one call from start to end. If a callback throws, the client logs a warning and the call
 * continues.
 */
export interface CallObservation {
  /** Headers for every attempt, for example `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called when an attempt ends, without an error if it succeeded. */
  attempt?(error?: unknown): void
  /** Called when the call ends, with the error that the caller gets, if any, or the status of the HTTP response. */
  end?(error?: unknown, status?: number): void
}

/**
 * Called when a call starts, with the URL of its request, or with the base URL if the call has invalid arguments and nothing
 * is sent. Must return the observation synchronously: promises aren't awaited. If it
 * throws, the client logs a warning and the call continues without an observation.
 */
export type Observer = (context: CallContext, url: string) => CallObservation

/** Notifies the observation, if any. */
export function notify(
  observation: CallObservation | undefined,
  event: 'attempt' | 'end',
  error?: unknown,
  status?: number,
): void {
  if (observation) void tolerate(() => observation[event]?.(error, status))
}

/** Notifies the observation when an attempt ends. */
export function observe<T>(work: Promise<T>, observation: CallObservation | undefined): Promise<T> {
  if (observation) {
    work.then(
      () => notify(observation, 'attempt'),
      (error) => notify(observation, 'attempt', error),
    )
  }
  return work
}
