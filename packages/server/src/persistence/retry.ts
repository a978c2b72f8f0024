import { setTimeout as wait } from 'node:timers/promises'
import { ConflictError, UnavailableError } from './failures.ts'

/** How often somebody may lose before he is told to come back later, and how long he waits between, at most. */
const attempts = 50
const longestWait = 100

/**
 * Runs the work until it does not lose against somebody else's. Of those that meet one always wins, so all of
 * them get through; they wait for times of chance, longer each time, so that they meet less.
 *
 * @throws {UnavailableError} if it lost too often.
 */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      if (attempt === attempts) throw new UnavailableError('unavailable', { cause: error })
      await wait(Math.random() * Math.min(longestWait, 2 ** attempt))
    }
  }
}
