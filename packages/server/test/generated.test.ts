import { expect, it, onTestFinished } from 'vitest'
import { lendDatabase } from './databases.ts'
import { cells } from './documented.ts'
import { runGenerated } from './generated/run.ts'

/** Some here, the same each time; as many as anybody wants, each time others, in the soak. */
it('answers what is generated from the documents as they say, and never fails', {
  timeout: 300_000,
}, async () => {
  const { address: database, giveBack } = await lendDatabase()
  onTestFinished(giveBack)
  const { faults, statuses, succeeded, codes } = await runGenerated({ requests: 2000, seed: 7, database })
  expect(faults).toEqual([])
  // Requests that were all refused, or all for the same reason, would show nothing.
  expect(succeeded).toBeGreaterThan(cells.length / 2)
  expect(codes).toBeGreaterThan(8)
  expect(statuses[200]).toBeGreaterThan(300)
})
