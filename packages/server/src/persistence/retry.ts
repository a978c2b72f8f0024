import { setTimeout as wait } from 'node:timers/promises'
import { ConflictError, UnavailableError } from './failures.ts'
import { createLock } from './lock.ts'

/** Repeats the work until it completes without a conflict. */
export type Retrying = <T>(work: () => Promise<T>) => Promise<T>

/**
 * The maximum number of attempts, and the maximum total time and delay between attempts in milliseconds. The maximum
 * total time is important if each attempt waits for a lock.
 */
const attempts = 50
const patience = 10_000
const maxWait = 100

/**
 * Creates a function that retries work after a conflict. A process runs only one retry at a time, so a retry can
 * conflict only with other processes.
 *
 * @param now Returns the time of a monotonic clock, in milliseconds.
 * @throws {UnavailableError} if the maximum number of attempts or the maximum total time is exceeded, or if the queue
 *   times out.
 */
export function createRetrying(now = () => performance.now()): Retrying {
  const line = createLock()
  return async (work) => {
    const until = now() + patience
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
    await line.acquire().catch((error: unknown) => {
      throw new UnavailableError('unavailable', { cause: error })
    })
    try {
      return await again(work, () => now() >= until)
    } finally {
      line.release()
    }
  }
}

async function again<T>(work: () => Promise<T>, isLate: () => boolean): Promise<T> {
  for (let attempt = 2; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      if (attempt === attempts || isLate()) throw new UnavailableError('unavailable', { cause: error })
      await wait(Math.random() * Math.min(maxWait, 2 ** attempt))
    }
  }
}
