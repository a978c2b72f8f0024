import { expect, it, onTestFinished } from 'vitest'
import { lendDatabase } from './databases.ts'
import { cells } from './documented.ts'
import { runGenerated } from './generated/run.ts'

/**
 * Sends only a few requests, which are always the same. The soak test can send any number of requests, with different
 * seeds.
 */
it('returns documented responses for generated requests, and never fails', {
  timeout: 300_000,
}, async () => {
  const { address: database, giveBack } = await lendDatabase()
  onTestFinished(giveBack)
  const { faults, statuses, succeeded, codes } = await runGenerated({ requests: 2000, seed: 7, database })
  expect(faults).toEqual([])
  // If too many requests failed, this test would prove nothing.
  expect(succeeded).toBeGreaterThan(cells.length / 2)
  expect(codes).toBeGreaterThan(8)
  expect(statuses[200]).toBeGreaterThan(300)
})
