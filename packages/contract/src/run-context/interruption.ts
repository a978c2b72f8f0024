import { setMaxListeners } from 'node:events'
import type { Transport } from '../http/transport.ts'
import { Interrupted } from '../model/signals.ts'

/**
 * Milliseconds to wait for a response after an interrupt. Without it, the kit doesn't know what the request created
 * and can't remove it.
 */
const defaultGrace = 5000

/** Methods that create nothing, so there is no need to wait for the response. */
const creatingNothing: readonly string[] = ['GET', 'HEAD']

/** The message if nothing else is known about the run. */
const early = 'interrupted before the first check'

/** Waits, or rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Interrupts a run: no more requests and no more waiting, until cleanup starts. */
export interface Interruption {
  /** A transport whose requests reject with `Interrupted` after an interrupt. */
  over(transport: Transport): Transport
  /** A sleep that rejects with `Interrupted` after an interrupt. */
  sleeping(sleep: Sleep): (milliseconds: number) => Promise<void>
  /** Does work that may create something. Rejects with `Interrupted` like such a request does. */
  limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Allows requests again, to remove what was created. */
  cleanUp(): void
}

/** Work that is abandoned some time after a signal. */
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
 * Creates the interruption of a run.
 *
 * @param grace milliseconds that a request that may create something gets to finish.
 */
export const createInterruption = (outer: AbortSignal | undefined, grace = defaultGrace): Interruption => {
  const broken = new AbortController()
  const { signal } = broken
  // All pending work listens to this signal.
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
