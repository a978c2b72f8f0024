import { expect, it, onTestFinished } from 'vitest'
import { projectId } from './demo.ts'
import { startProcess } from './server-process.ts'

const configs = `/groups/${projectId}/alertConfigs`

it('a server continues to serve when the reader of its log is gone', { timeout: 120_000 }, async () => {
  const server = await startProcess(':memory:')
  onTestFinished(() => server.kill())
  server.ignoreLog()
  for (let count = 0; count < 3; count += 1) {
    expect((await server.ask(configs)).status).toBe(200)
    // Log lines are buffered for a tenth of a second.
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
})

it('a server logs its options at start, regardless of its other log lines', {
  timeout: 120_000,
}, async () => {
  const server = await startProcess(':memory:', { flags: ['--log-level', 'error'] })
  onTestFinished(() => server.kill())
  expect(JSON.parse(server.said).options).toMatchObject({ logLevel: 'error', database: ':memory:' })
})
