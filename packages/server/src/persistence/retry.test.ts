import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConflictError, UnavailableError } from './failures.ts'
import { createRetrying } from './retry.ts'

// With this mock, there is no delay between attempts.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

/** Runs work that always conflicts and takes the given number of milliseconds. Returns the number of attempts. */
async function losing(milliseconds: number): Promise<number> {
  let [now, runs] = [0, 0]
  const retrying = createRetrying(() => now)
  const lose = async () => {
    now += milliseconds
    runs += 1
    throw new ConflictError('conflict')
  }
  await expect(retrying(lose)).rejects.toThrow(UnavailableError)
  return runs
}

it('retries often if the attempts are short', async () => {
  expect(await losing(1)).toBe(50)
})

it('gives up early if each attempt takes seconds', async () => {
  expect(await losing(4000)).toBe(3)
})
