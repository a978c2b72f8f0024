import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConflictError, UnavailableError } from './failures.ts'
import { createRetrying } from './retry.ts'

// Nobody waits between two attempts.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

/** Work that always loses, and takes so long each time; how often it was run. */
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

it('who loses quickly may lose often', async () => {
  expect(await losing(1)).toBe(50)
})

it('who waits for seconds before he loses is not kept until he has lost as often', async () => {
  expect(await losing(4000)).toBe(3)
})
