import type { CallContext } from './fetch.ts'
import { tolerateNow } from './tolerate.ts'

/**
 * Observes a single call from start to end. If a callback throws, the client logs a warning and the call continues.
 * With `createPartialClient`, an error in a callback causes the call to fail.
 */
export interface CallObservation {
  /** Headers to add to every attempt, for example `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called when an attempt ends, with the error if the attempt failed. */
  attempt?(error?: unknown): void
  /** Called when the call ends, with either the HTTP status or the error that is thrown to the caller. */
  end?(error?: unknown, status?: number): void
}

/**
 * Called when a call starts, with the request's URL. If the arguments are invalid and no request is sent,
 * `url` is the base URL. The observer must return the observation synchronously because promises aren't
 * awaited. If the observer throws, the client logs a warning and continues without an observation.
 */
export type Observer = (context: CallContext, url: string) => CallObservation

/**
 * Returns an observer whose callbacks can't delay a call or cause it to fail. `createClient` and `createTracer` use
 * this function, but `createPartialClient` doesn't.
 */
export function shieldObserver(observer: Observer): Observer {
  return (context, url) => {
    let observation: CallObservation | undefined
    tolerateNow(() => {
      observation = observer(context, url)
      return observation
    })
    return {
      headers: observation?.headers,
      attempt: (error) => tolerateNow(() => observation?.attempt?.(error)),
      end: (error, status) => tolerateNow(() => observation?.end?.(error, status)),
    }
  }
}

/** Calls the observation's `attempt` callback when the attempt ends. */
export function observe<T>(work: Promise<T>, observation: CallObservation | undefined): Promise<T> {
  if (observation) {
    work.then(
      () => observation.attempt?.(),
      (error) => observation.attempt?.(error),
    )
  }
  return work
}
