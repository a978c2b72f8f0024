import { setTimeout as wait } from 'node:timers/promises'
import { ConflictError, UnavailableError } from './failures.ts'
import { createLock } from './lock.ts'

/** Runs work until it does not lose against somebody else's. */
export type Retrying = <T>(work: () => Promise<T>) => Promise<T>

/**
 * How often, and for how many milliseconds, somebody may lose before he is told to come back later, and how long he waits
 * between, at most. Who waits for a lock each time before he loses would otherwise be at it for minutes.
 */
const attempts = 50
const patience = 10_000
const maxWait = 100

/**
 * Builds what runs work again that lost. Whoever lost once waits in a line of the process, so that the losers do
 * not meet each other again, only those of other processes: of those that meet one always wins.
 *
 * @param now milliseconds of any clock that runs evenly.
 * @throws {UnavailableError} if it lost too often or for too long, or the line was too long.
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
