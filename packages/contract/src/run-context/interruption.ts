import { setMaxListeners } from 'node:events'
import type { Transport } from '../http/transport.ts'
import { Interrupted } from '../model/signals.ts'

/**
 * The number of milliseconds to wait for a response after an interruption. Without the response, the kit wouldn't know
 * what to remove.
 */
const defaultGrace = 5000

/** Methods that don't create resources, so the kit doesn't have to wait for the response. */
const creatingNothing: readonly string[] = ['GET', 'HEAD']

/** The message if the run has no other details. */
const early = 'interrupted before the first check'

/** Waits, but rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Interrupts a run. Until the cleanup starts, the run sends no requests and doesn't wait. */
export interface Interruption {
  /** A transport that rejects requests with `Interrupted` after an interruption. */
  over(transport: Transport): Transport
  /** A sleep function that rejects with `Interrupted` after an interruption. */
  sleeping(sleep: Sleep): (milliseconds: number) => Promise<void>
  /**
   * Runs work that may create something. After an interruption, rejects with `Interrupted`, just as for a request that
   * may create something.
   */
  limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Allows requests again for the cleanup. */
  cleanUp(): void
}

/** Runs work that is abandoned some time after the signal. */
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
 * @param grace The number of milliseconds that a request gets to finish if it may create something.
 */
export const createInterruption = (outer: AbortSignal | undefined, grace = defaultGrace): Interruption => {
  const broken = new AbortController()
  const { signal } = broken
  // All pending work listens to this signal, so the warning about many listeners is disabled.
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
