import type { Clock } from './clock.ts'
import { borrowController, returnController } from './controllers.ts'

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
  return untilAborted(limits.signal, (resolve, reject) => {
    const lease = borrowController()
    const cancel = limits.clock.after(limits.timeoutMs, () => reject(limits.onTimeout()))
    work(lease.controller.signal).then(resolve, reject)
    return (error) => {
      cancel()
      if (error === undefined) returnController(lease)
      else lease.controller.abort(error)
    }
  })
}

/** Waits, and stops waiting at once when the signal aborts. */
export function sleep(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return untilAborted(signal, (resolve) => clock.after(ms, resolve))
}

/** The promise, or the reason of the signal if that comes first; for work that may ignore signals. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return untilAborted(signal, (resolve, reject) => {
    work.then(resolve, reject)
    return () => undefined
  })
}

type Tell = (reason: unknown) => void

const watchers = new WeakMap<AbortSignal, EventListenerObject & Set<Tell>>()

/** One listener tells all calls on a signal: runtimes warn of a leak from the eleventh on. */
function watch(signal: AbortSignal, tell: Tell): () => void {
  const handleEvent = (): void => {
    for (const each of watcher) each(signal.reason)
  }
  const watcher = watchers.get(signal) ?? Object.assign(new Set<Tell>(), { handleEvent })
  watchers.set(signal, watcher)
  watcher.add(tell)
  // The same one a second time changes nothing.
  signal.addEventListener('abort', watcher)
  return () => {
    watcher.delete(tell)
    if (!watcher.size) signal.removeEventListener('abort', watcher)
  }
}

/** A promise that the signal rejects. What `start` returns is called once, when the promise settles. */
function untilAborted<T>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => (error?: unknown) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    let settled = false
    const settle = (error?: unknown): void => {
      if (settled) return
      settled = true
      unwatch?.()
      stop(error)
    }
    const fail = (error: unknown): void => {
      reject(error)
      settle(error)
    }
    const unwatch = signal && watch(signal, fail)
    const stop = start((value) => {
      resolve(value)
      settle()
    }, fail)
  })
}
