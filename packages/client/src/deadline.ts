import type { Clock } from './clock.ts'

/** What ends a piece of work before its own end. */
export interface Limits {
  readonly clock: Clock
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
  /** Makes the error when time is up; made then and not before, because a stack trace is dear. */
  readonly onTimeout: () => unknown
}

/**
 * Runs `work` until it settles, time is up or the caller aborts, whichever is first. The promise settles at
 * that moment, also where the work ignores the signal it was given. Nothing stays behind: neither a timer
 * nor a listener on the caller's signal.
 */
export function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, limits: Limits): Promise<T> {
  const { clock, signal, timeoutMs, onTimeout } = limits
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController()
    const stop = (reason: unknown): void => {
      clear()
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = (): void => stop(signal?.reason)
    const cancel = clock.after(timeoutMs, () => stop(onTimeout()))
    const clear = (): void => {
      cancel()
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort)
    work(controller.signal).then(
      (value) => {
        clear()
        resolve(value)
      },
      (error: unknown) => {
        clear()
        reject(error)
      },
    )
  })
}

/** Waits, and stops waiting at once when the signal aborts. */
export function sleep(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The promise, or the reason of the signal if that comes first; for work that may ignore signals. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
