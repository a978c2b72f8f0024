import { setMaxListeners } from 'node:events'
import type { Transport } from '../http/transport.ts'
import { Interrupted } from '../model/signals.ts'

/**
 * The number of milliseconds that the kit waits for a response after an interruption. Without the response,
 * the kit can't know which resource it must remove.
 */
const defaultGrace = 5000

/** These methods don't create anything, so the kit doesn't have to wait for their responses. */
const creatingNothing: readonly string[] = ['GET', 'HEAD']

/** The message to show if the run's progress is unknown. */
const early = 'interrupted before the first check'

/** Waits for a number of milliseconds. Rejects if the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Interrupts a run. From the interruption until the cleanup, the run doesn't send requests and doesn't wait. */
export interface Interruption {
  /** Returns a transport that rejects requests with `Interrupted` after an interruption. */
  over(transport: Transport): Transport
  /** Returns a function that waits, and that rejects with `Interrupted` after an interruption. */
  sleeping(sleep: Sleep): (milliseconds: number) => Promise<void>
  /**
   * Runs work that may create something. After an interruption, rejects with `Interrupted` when the work is done or the
   * grace period ends.
   */
  limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Allows requests again, so that the run can clean up. */
  cleanUp(): void
}

/** Runs work. After the signal, waits for the result only until the grace period ends. */
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
 * Creates the object that handles the interruption of a run.
 *
 * @param grace The time in milliseconds that requests get to finish if they may create something.
 */
export const createInterruption = (outer: AbortSignal | undefined, grace = defaultGrace): Interruption => {
  const broken = new AbortController()
  const { signal } = broken
  // All pending work listens to this signal, so disable the warning about too many listeners.
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
