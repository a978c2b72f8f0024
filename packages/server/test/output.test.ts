import { expect, it, onTestFinished } from 'vitest'
import { projectId } from './demo.ts'
import { startProcess } from './server-process.ts'

const configs = `/groups/${projectId}/alertConfigs`

it('a server answers on when whoever read its log has gone away', { timeout: 120_000 }, async () => {
  const server = await startProcess(':memory:')
  onTestFinished(() => server.kill())
  server.ignoreLog()
  for (let count = 0; count < 3; count += 1) {
    expect((await server.ask(configs)).status).toBe(200)
    // Lines of the log are held back for a tenth of a second.
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
})

it('a server tells its options at start, whatever else it writes down', { timeout: 120_000 }, async () => {
  const server = await startProcess(':memory:', { flags: ['--log-level', 'error'] })
  onTestFinished(() => server.kill())
  expect(JSON.parse(server.said).options).toMatchObject({ logLevel: 'error', database: ':memory:' })
})
