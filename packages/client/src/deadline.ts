import type { Clock } from './clock.ts'
import { borrowController, returnController } from './controllers.ts'

/** The timeout and the signal, either of which can end work early. */
export interface Limits {
  readonly clock: Clock
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
}

/**
 * Runs `work` until it settles, the time is up or the caller aborts, whichever comes first. The returned promise
 * settles at that point even if the work ignores its signal. Then clears the timer and removes the listener from the
 * caller's signal.
 *
 * @param onTimeout Creates the timeout error. The error is created only when needed because a stack trace is expensive.
 */
export function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limits: Limits,
  onTimeout: () => unknown,
): Promise<T> {
  return untilAborted(limits.signal, (resolve, reject) => {
    const lease = borrowController()
    const cancel = limits.clock.after(limits.timeoutMs, () => reject(onTimeout()))
    work(lease.controller.signal).then(resolve, reject)
    return (error) => {
      cancel()
      if (error === undefined) returnController(lease)
      else lease.controller.abort(error)
    }
  })
}

/** Waits until `ms` milliseconds have passed or the signal is aborted. */
export function sleep(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return untilAborted(signal, (resolve) => clock.after(ms, resolve))
}

/**
 * Settles with the promise, or rejects with the signal's reason if the signal is aborted first. Use this function for
 * work that may ignore signals.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return untilAborted(signal, (resolve, reject) => {
    work.then(resolve, reject)
    return () => undefined
  })
}

type OnAbort = (reason: unknown) => void

const watchers = new WeakMap<AbortSignal, EventListenerObject & Set<OnAbort>>()

/**
 * All calls with the same signal share one listener because runtimes warn about a leak if a signal has more than ten
 * listeners.
 */
function watch(signal: AbortSignal, onAbort: OnAbort): () => void {
  const handleEvent = (): void => {
    for (const each of watcher) each(signal.reason)
  }
  const watcher = watchers.get(signal) ?? Object.assign(new Set<OnAbort>(), { handleEvent })
  watchers.set(signal, watcher)
  watcher.add(onAbort)
  // Adding the same listener twice has no effect.
  signal.addEventListener('abort', watcher)
  return () => {
    watcher.delete(onAbort)
    if (!watcher.size) signal.removeEventListener('abort', watcher)
  }
}

/**
 * Creates a promise that rejects when the signal is aborted. The function that `start` returns runs once, when the
 * promise settles.
 */
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
