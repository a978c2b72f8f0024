import { afterAll, beforeAll } from 'vitest'
import { type Bench, openBench } from '../packages/contract/mutants/bench.ts'
import { type RunningServer, startServer } from '../packages/contract/mutants/server.ts'

/** A bench on a server of its own for the tests of a file: ask for it within a test. */
export function useBench(): () => Bench {
  let server: RunningServer | undefined
  let bench: Bench | undefined
  beforeAll(async () => {
    server = await startServer()
    bench = await openBench(server)
  })
  afterAll(async () => {
    await bench?.close()
    server?.stop()
  })
  return () => {
    if (bench === undefined)
      throw new Error('The bench is opened before the first test, and not before that.')
    return bench
  }
}
