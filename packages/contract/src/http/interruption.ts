import { setMaxListeners } from 'node:events'
import { Interrupted } from '../engine/signals.ts'
import type { Transport } from './transport.ts'

/** What a request made is removed only if its answer says what that is called: so long, in milliseconds, it may take. */
const defaultGrace = 5000

/** Methods by which nothing is made, so that nobody has to wait for the answer. */
const harmless: readonly string[] = ['GET', 'HEAD']

/** What is said where nobody knows more of the run. */
const early = 'interrupted before the first check'

/** Waits so many milliseconds, or rejects once the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** How a run is broken off: it sends no more and waits no longer, until it cleans up. */
export interface Interruption {
  /** A transport whose requests reject with `Interrupted` once the run is broken off. */
  over(transport: Transport): Transport
  /** A sleep that rejects with `Interrupted` then. */
  sleeping(sleep: Sleep): (milliseconds: number) => Promise<void>
  /** Does work by which something may be made, and which rejects with `Interrupted` as such a request does. */
  limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** From here on requests go out again, to remove what was made. */
  cleanUp(): void
}

/** Work that is given up some time after a signal. */
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
 * What a signal does to a run.
 *
 * @param grace milliseconds that a request by which something may be made has left to be answered.
 */
export const createInterruption = (outer: AbortSignal | undefined, grace = defaultGrace): Interruption => {
  const broken = new AbortController()
  const { signal } = broken
  // All that is under way listens.
  setMaxListeners(0, signal)
  const abort = (): void => broken.abort()
  outer?.addEventListener('abort', abort, { once: true })
  if (outer?.aborted) abort()
  let cleaning = false
  const expectGoing = (): void => {
    if (signal.aborted) throw new Interrupted(early)
  }
  return {
    over: (transport) => ({
      ...transport,
      async send(request, recreate) {
        if (cleaning) return transport.send(request, recreate)
        expectGoing()
        return until(signal, harmless.includes(request.method) ? 0 : grace, transport.send(request, recreate))
      },
    }),
    sleeping: (sleep) => async (milliseconds) => {
      if (cleaning) return sleep(milliseconds)
      await sleep(milliseconds, signal).finally(expectGoing)
    },
    async limited(work) {
      const ending = new AbortController()
      if (cleaning) return work(ending.signal)
      expectGoing()
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
