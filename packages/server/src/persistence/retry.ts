import { setTimeout as wait } from 'node:timers/promises'
import { ConflictError, UnavailableError } from './failures.ts'
import { createLock } from './lock.ts'

/** Runs work until it does not lose against somebody else's. */
export type Retrying = <T>(work: () => Promise<T>) => Promise<T>

/** How often somebody may lose before he is told to come back later, and how long he waits between, at most. */
const attempts = 50
const longestWait = 100

/**
 * Builds what runs work again that lost. Whoever lost once waits in a line of the process, so that the losers do
 * not meet each other again, only those of other processes: of those that meet one always wins.
 *
 * @throws {UnavailableError} if it lost too often, or the line was too long.
 */
export function createRetrying(): Retrying {
  const line = createLock()
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
    await line.acquire().catch((error: unknown) => {
      throw new UnavailableError('unavailable', { cause: error })
    })
    try {
      return await again(work)
    } finally {
      line.release()
    }
  }
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 2; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      if (attempt === attempts) throw new UnavailableError('unavailable', { cause: error })
      await wait(Math.random() * Math.min(longestWait, 2 ** attempt))
    }
  }
}
