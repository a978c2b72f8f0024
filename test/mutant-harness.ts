import { afterAll, beforeAll } from 'vitest'
import { type MutantHarness, openHarness } from '../packages/contract/mutants/harness.ts'
import { type RunningServer, startServer } from '../packages/contract/mutants/server.ts'

/** Creates a harness with a separate server for the tests in a file. Call the returned function inside a test. */
export function useHarness(): () => MutantHarness {
  let server: RunningServer | undefined
  let harness: MutantHarness | undefined
  beforeAll(async () => {
    server = await startServer()
    harness = await openHarness(server)
  })
  afterAll(async () => {
    await harness?.close()
    server?.stop()
  })
  return () => {
    if (harness === undefined) throw new Error('The harness is not ready yet. Use it only within a test.')
    return harness
  }
}
