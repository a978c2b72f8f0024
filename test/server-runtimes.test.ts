import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc-admin/types'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ProcessOptions, spawnServer, startProcess } from '../packages/server/test/server-process.ts'
import { installToolbox } from '../scripts/toolbox.ts'
import { groupId } from './demo.ts'

const tools = join(await installToolbox(new URL('runtimes/', import.meta.url)), 'node_modules')
const on = (major: number): Required<Pick<ProcessOptions, 'node'>> => ({
  node: join(tools, `node-${major}-linux-${process.arch}`, 'bin/node'),
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'server-runtimes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Node.js has included SQLite since 24.15. Older versions use a package. The Node.js binaries are for Linux. */
describe.skipIf(process.platform !== 'linux')('the server on every supported Node version', () => {
  test.each([20, 22, 24, 26])('prints no warnings on Node %i', async (major) => {
    const child = spawnServer(join(emptyFolder(), 'server.db'), on(major))
    onTestFinished(() => void child.kill('SIGKILL'))
    let complaints = ''
    child.stderr.on('data', (chunk) => (complaints += String(chunk)))
    const printed = await new Promise<string>((resolve) => child.stdout.once('data', resolve))
    expect([JSON.parse(String(printed).split('\n')[0] ?? '').url, complaints]).toEqual([
      expect.stringMatching(/^http:/),
      '',
    ])
  })

  test('continues with the data of a killed server on another Node version', {
    timeout: 120_000,
  }, async () => {
    const database = join(emptyFolder(), 'server.db')
    const configs = `/groups/${groupId}/alertConfigs`
    const written: string[] = []
    for (const major of [20, 26, 22, 24, 20]) {
      const server = await startProcess(database, on(major))
      const kept = await Promise.all(written.map((id) => server.ask(`${configs}/${id}`)))
      expect([major, kept.map((one) => one.at('id'))]).toEqual([major, written])
      for (let count = 0; count < 20; count += 1) {
        const json = { eventTypeName: 'HOST_DOWN', notifications: [] }
        const created = await server.ask(configs, { method: 'POST', json })
        expect(created.status).toBe(200)
        written.push(created.textAt('id'))
      }
      const all = await server.ask(`${configs}?itemsPerPage=${limits.itemsPerPage.maximum}`)
      expect(all.listAt('results').map(({ id }) => id)).toEqual(expect.arrayContaining(written))
      await server.kill()
    }
  })

  // This version of Node.js contains a different version of SQLite than the one that runs these tests.
  test.each([26])('passes the storage tests on Node %i', { timeout: 300_000 }, (major) => {
    const root = join(import.meta.dirname, '..')
    const tested = [
      'src/persistence',
      'src/sandbox/worlds.test.ts',
      'test/cached-pages.test.ts',
      'test/file.test.ts',
    ]
    const paths = tested.map((path) => join('packages/server', path))
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    // The environment variables of this test run must not be passed to the other one.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
    const args = [vitest, 'run', '--project', 'server', '--reporter=json', '--maxWorkers=1', ...paths]
    const { stdout, stderr } = spawnSync(on(major).node, args, { cwd: root, env, encoding: 'utf8' })
    const [report] = /\{.*/s.exec(stdout) ?? []
    if (report === undefined) throw new Error(`No tests ran: ${stderr}`)
    const { numPassedTests, testResults } = JSON.parse(report)
    const failed = testResults.filter(({ status }: { status: string }) => status !== 'passed')
    expect(failed.map(({ name, message }: Record<string, unknown>) => [name, message])).toEqual([])
    expect(numPassedTests).toBeGreaterThan(400)
  })
})
