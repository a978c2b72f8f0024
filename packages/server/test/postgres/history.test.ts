import { expect, it } from 'vitest'
import { runHistory } from '../../soak/run-history.ts'
import { bareDatabase } from '../databases.ts'

/** This is a short version of the test. To test 100,000 operations, run `npm run soak`. */
it("three processes that are killed and paused don't lose, duplicate or undo changes", {
  timeout: 240_000,
}, async () => {
  const operations = 200
  const figures = await runHistory(await bareDatabase(), { operations, seed: 7, disturbed: true })
  expect(figures.anomalies).toEqual([])
  expect(figures.answered).toBeGreaterThan(operations / 2)
})
