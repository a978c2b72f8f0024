import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installToolbox } from '../../scripts/toolbox.ts'
import { bundles } from './bundles.ts'
import { withoutColors } from './run-tool.ts'

// The first run installs the tools.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

/**
 * Starts mock servers in the same way as `prism mock`, but for all documents in one process. Loading the
 * modules takes as long as loading a document.
 */
const starter = `
const { createSingleProcessPrism } = require('@stoplight/prism-cli/dist/util/createServer')
const options = { host: '127.0.0.1', port: 0, cors: true, errors: false, dynamic: false, verboseLevel: 'info' }
async function start() {
  for (const document of process.argv.slice(1)) await createSingleProcessPrism({ ...options, document })
}
start()`

let mocks: ChildProcess
/** For each mock server, its address, and its output until it starts listening. */
const started = new Map<string, { log: string; address: string }>()

beforeAll(async () => {
  const cwd = await installToolbox(new URL('tools/', import.meta.url))
  mocks = spawn(process.execPath, ['-e', starter, ...bundles.map(({ file }) => file)], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const printed = await new Promise<string[]>((resolve, reject) => {
    let log = ''
    for (const stream of [mocks.stdout, mocks.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log += text
        const parts = withoutColors(log).split(/Prism is listening on (\S+)\n/)
        if (parts.length > 2 * bundles.length) resolve(parts)
      })
    mocks.on('close', () => reject(new Error(log)))
  })
  for (const [index, { version }] of bundles.entries())
    started.set(version, { log: printed[2 * index] ?? '', address: printed[2 * index + 1] ?? '' })
})

afterAll(() => mocks?.kill())

test.each(bundles)(
  '@stoplight/prism-cli mocks the bundle of $version without a warning',
  async ({ version }) => {
    const { log, address } = started.get(version) ?? {}
    expect(log).toContain(`${address}/groups`)
    expect(log).not.toMatch(/\b(warn(ing)?|error|fail(ed)?)\b/i)

    const mediaType = version === 'v1.0' ? 'application/json' : 'application/vnd.svc.2023-01-01+json'
    const url = `${address}/groups/64b7e1c20f3a5d6e7f809101/alerts`
    const response = await fetch(url, { headers: { accept: mediaType, authorization: 'Bearer a-token' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(mediaType)
    expect(await response.json()).toHaveProperty('results.0.eventTypeName', 'DEPLOYMENT_FAILURE')
  },
)
