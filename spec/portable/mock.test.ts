import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installToolbox } from '../../scripts/toolbox.ts'
import { bundleFiles } from './bundles.ts'
import { withoutColours } from './run-tool.ts'

// The first run installs the tools.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const { folder, bundles } = await bundleFiles()
const running: ChildProcess[] = []
let tools = ''

beforeAll(async () => {
  tools = join(await installToolbox(new URL('tools/', import.meta.url)), 'node_modules/.bin')
})

afterAll(() => {
  for (const child of running) child.kill()
  rmSync(folder, { recursive: true, force: true })
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Starts a mock server and returns what it printed until it listened. */
function startMock(file: string, port: number): Promise<string> {
  const options = ['mock', '--host', '127.0.0.1', '--port', String(port), file]
  const child = spawn(process.execPath, [join(tools, 'prism'), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  running.push(child)
  let log = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('Prism is listening')) resolve(withoutColours(log))
      })
    child.on('close', () => reject(new Error(log)))
  })
}

test.each(bundles)(
  'the bundle of $version is mocked by @stoplight/prism-cli without a warning',
  async ({ version, file }) => {
    const port = await freePort()
    const log = await startMock(file, port)
    expect(log).not.toMatch(/\b(warn(ing)?|error|fail(ed)?)\b/i)

    const mediaType = version === 'v1.0' ? 'application/json' : 'application/vnd.svc.2023-01-01+json'
    const url = `http://127.0.0.1:${port}/groups/64b7e1c20f3a5d6e7f809101/alerts`
    const answer = await fetch(url, { headers: { accept: mediaType, authorization: 'Bearer a-token' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain(mediaType)
    expect(await answer.json()).toHaveProperty('results.0.eventTypeName', 'DEPLOYMENT_FAILURE')
  },
)
