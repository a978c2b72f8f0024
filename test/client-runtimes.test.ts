import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from '../packages/docs/browser/chromium.ts'
import { installToolbox } from '../scripts/toolbox.ts'
import { groupId, owner } from './demo.ts'
import { type PageServer, startPageServer } from './runtimes/page-server.ts'
import { createSandbox } from './runtimes/sandbox.ts'
import { startWorker, type Worker } from './runtimes/workerd.ts'

const runFile = promisify(execFile)
const tools = join(await installToolbox(new URL('runtimes/', import.meta.url)), 'node_modules')
const folder = createSandbox()

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ sandbox: true })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
// The token endpoint accepts ten requests per minute in total, and all runtimes together must stay within this limit.
beforeEach(async () => {
  await fetch(`${server.controlUrl}/clock`, { method: 'PUT', body: '{"advanceSeconds":61}' })
})

const expected = {
  version: '2023-01-01',
  sameForBoth: true,
  parallel: 20,
  paged: true,
  byPath: 200,
  enabled: true,
  gone: true,
  wrongKey: 'AuthenticationError',
  unreachable: 'NetworkError',
  aborted: 'Error: enough',
  lostCallers: [],
}
const targetAt = (baseUrl: string) => JSON.stringify({ baseUrl, groupId, ...owner })

const node = (major: number) => [join(tools, `node-${major}-${process.platform}-${process.arch}`, 'bin/node')]
const deno = [
  join(tools, '.bin/deno'),
  'run',
  '--quiet',
  '--no-prompt',
  '--node-modules-dir=manual',
  '--allow-net=127.0.0.1',
  `--allow-read=${folder}`,
]
// The package's own command requires its install script, but install scripts are disabled.
const bun = [
  join(tools, '@oven', `bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`, 'bin/bun'),
]
const runtimes: [string, string[], string][] = [
  ['Node 20', node(20), 'v20.'],
  ['Node 22', node(22), 'v22.'],
  ['Node 24', node(24), 'v24.'],
  ['Node 26', node(26), 'v26.'],
  ['Deno', deno, 'deno 2.'],
  ['Bun', bun, '1.'],
]

describe.each(runtimes)('%s', (name, [binary = '', ...flags], version) => {
  // The Node.js binaries are for Linux. The other runtimes have binaries for each platform.
  const run = test.skipIf(name.startsWith('Node') && process.platform !== 'linux' && !existsSync(binary))

  run('has the version of its name', async () => {
    expect((await runFile(binary, ['--version'])).stdout).toContain(version)
  })

  run.each(['program.mjs', 'program.cjs'])('runs the scenario, loaded by %s', async (program) => {
    const args = [...flags, program, targetAt(server.url)]
    const { stdout } = await runFile(binary, args, { cwd: folder })
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

describe('workerd', () => {
  let worker: Worker
  beforeAll(async () => {
    worker = await startWorker(join(tools, '.bin/workerd'), folder)
  })
  afterAll(() => worker.stop())

  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const response = await fetch(worker.url + path, { method: 'POST', body: targetAt(server.url) })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text)
  }

  test('runs the scenario', async () => {
    expect(await ask('/scenario')).toEqual(expected)
  })

  test('reuses one client for parallel and later requests', async () => {
    const first = await Promise.all(Array.from({ length: 10 }, () => ask('/alerts')))
    expect(first.map(({ totalCount }) => totalCount)).toEqual(first.map(() => 2))
    expect((await ask('/alerts')).totalCount).toBe(2)
  })
})

describe.skipIf(!chromiumPath)('Chromium', () => {
  let page: PageServer
  beforeAll(async () => {
    page = await startPageServer(server.url, folder)
  })
  afterAll(() => page.stop())

  test('runs the scenario with the published modules', async () => {
    const browser = await launch()
    try {
      const tab = await browser.newPage()
      await tab.goto(page.url)
      // The code is in a string, because the test runner rewrites `import` expressions in code.
      const outcome: unknown =
        await tab.evaluate(`Promise.all([import('/scenario.mjs'), import('/client/index.js'), import('/client/openapi-fetch.js')])
        .then(([{ run }, client, openapiFetch]) => run(client, openapiFetch, ${targetAt(page.url)}))`)
      expect(outcome).toEqual(expected)
    } finally {
      await browser.close()
    }
  })
})
