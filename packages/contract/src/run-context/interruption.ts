import { setMaxListeners } from 'node:events'
import type { Transport } from '../http/transport.ts'
import { Interrupted } from '../model/signals.ts'

/**
 * How many milliseconds to wait for a response after an interrupt. Without the response, the kit doesn't know what
 * the request created and can't remove it.
 */
const defaultGrace = 5000

/** Methods that create nothing, so the kit doesn't have to wait for the response. */
const creatingNothing: readonly string[] = ['GET', 'HEAD']

/** The message if nothing else is known about the run. */
const early = 'interrupted before the first check'

/** Waits, or rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Interrupts a run. Until the cleanup starts, the run sends no more requests and no longer waits. */
export interface Interruption {
  /** A transport that rejects requests with `Interrupted` after an interrupt. */
  over(transport: Transport): Transport
  /** A sleep function that rejects with `Interrupted` after an interrupt. */
  sleeping(sleep: Sleep): (milliseconds: number) => Promise<void>
  /**
   * Runs work that may create something. After an interrupt, rejects with `Interrupted` in the same way as a request
   * that may create something.
   */
  limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Allows requests again, so that the cleanup can remove what was created. */
  cleanUp(): void
}

/** Runs work that is abandoned a certain time after a signal. */
const until = <T>(signal: AbortSignal, grace: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const end = (): void => {
      timer = setTimeout(() => reject(new Interrupted(early)), grace)
    }
    signal.addEventListener('abort', end)
    const done = (): void => {
      signal.removeEventListener('abort', end)
      clearTimeout(timer)
    }
    work.then(resolve, reject).finally(done)
  })

/**
 * Creates a run's interruption.
 *
 * @param grace How many milliseconds a request that may create something gets to finish.
 */
export const createInterruption = (outer: AbortSignal | undefined, grace = defaultGrace): Interruption => {
  const broken = new AbortController()
  const { signal } = broken
  // All pending work listens to this signal, so Node.js must not warn about many listeners.
  setMaxListeners(0, signal)
  const abort = (): void => broken.abort()
  outer?.addEventListener('abort', abort, { once: true })
  if (outer?.aborted) abort()
  let cleaning = false
  const throwIfInterrupted = (): void => {
    if (signal.aborted) throw new Interrupted(early)
  }
  return {
    over: (transport) => ({
      ...transport,
      async send(request, recreate) {
        if (cleaning) return transport.send(request, recreate)
        throwIfInterrupted()
        return until(
          signal,
          creatingNothing.includes(request.method) ? 0 : grace,
          transport.send(request, recreate),
        )
      },
    }),
    sleeping: (sleep) => async (milliseconds) => {
      if (cleaning) return sleep(milliseconds)
      await sleep(milliseconds, signal).finally(throwIfInterrupted)
    },
    async limited(work) {
      const ending = new AbortController()
      if (cleaning) return work(ending.signal)
      throwIfInterrupted()
      return until(signal, grace, work(ending.signal)).catch((error) => {
        ending.abort()
        throw error
      })
    },
    cleanUp() {
      cleaning = true
    },
  }
}
