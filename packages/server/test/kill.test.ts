import { expect, it } from 'vitest'
import { persistentDatabase } from './databases.ts'
import { killDuringWrites, lostWrites } from './kills.ts'

/** Runs only a few rounds. The soak test can run any number of rounds. */
it('loses no acknowledged write on SIGKILL', { timeout: 180_000 }, async () => {
  const database = await persistentDatabase()
  const [kills, writes] = [3, 60]
  const acknowledged = await killDuringWrites(database, { kills, writes })
  expect(acknowledged.length).toBeGreaterThanOrEqual(kills * writes)
  expect(await lostWrites(database, acknowledged)).toEqual([])
})
