import type { CallContext } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/**
 * Observes one call from start to end. If a callback throws, the client logs a warning and the call
 * continues. A client of `createPartialClient` passes the error on, so its callbacks must not throw.
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

/**
 * Returns an observer whose callbacks can't fail or delay a call. `createClient` and `createTracer` use it;
 * `createPartialClient` doesn't.
 */
export function shieldObserver(observer: Observer): Observer {
  return (context, url) => {
    let observation: CallObservation | undefined
    void tolerate(() => (observation = observer(context, url)))
    return {
      headers: observation?.headers,
      attempt: (error) => void tolerate(() => observation?.attempt?.(error)),
      end: (error, status) => void tolerate(() => observation?.end?.(error, status)),
    }
  }
}

/** Notifies the observation when an attempt ends. */
export function observe<T>(work: Promise<T>, observation: CallObservation | undefined): Promise<T> {
  if (observation) {
    work.then(
      () => observation.attempt?.(),
      (error) => observation.attempt?.(error),
    )
  }
  return work
}
