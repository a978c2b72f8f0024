import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoTarget, openKit } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countRows, rowsIn } from './sandbox-rows.ts'

// What a run promises to whoever lends it a service: tried with the command, which is killed as a person would.
vi.setConfig({ testTimeout: 600_000 })

const main = fileURLToPath(new URL('../packages/contract/src/main.ts', import.meta.url))
const root = fileURLToPath(new URL('../', import.meta.url))

let server: RunningServer
let folder = ''
beforeEach(async () => {
  server = await startServer({ sandbox: true })
  folder = mkdtempSync(join(tmpdir(), 'contract-safety-'))
})
afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const journal = () => join(folder, 'journal')

/** Starts the command on the sandbox. */
const contract = (...args: string[]): ChildProcess => {
  const where = ['--base-url', server.url, '--control', server.controlUrl ?? '', '--journal', journal()]
  const node = ['--import', 'tsx', '-C', '@svc-admin/source', main]
  return spawn(process.execPath, [...node, ...args, ...where], { cwd: root, stdio: 'ignore' })
}

const finished = async (child: ChildProcess): Promise<number | null> => {
  const [code] = await once(child, 'close')
  return code
}

interface Line {
  readonly done?: { readonly result: { readonly id: string; readonly verdict: string } }
}

/** The checks in the journal; the last line may be cut. */
const done = (): string[] => {
  const lines = existsSync(journal()) ? readFileSync(journal(), 'utf8').split('\n') : []
  return lines.flatMap((line) => {
    if (!line.startsWith('{"done"') || !line.endsWith('}')) return []
    const entry: Line = JSON.parse(line)
    return entry.done?.result.id ?? []
  })
}

const selection = ['run', '-q', '-j', '2', '--version', 'v1.0', '--operation', 'updateAlertConfig']

/** Kills a run in its midst; returns the checks that were done by then. */
const killed = async (): Promise<string[]> => {
  const child = contract(...selection)
  await vi.waitUntil(() => done().length >= 20 || child.exitCode !== null, { timeout: 300_000, interval: 20 })
  child.kill('SIGKILL')
  await finished(child)
  return done()
}

const verdictsIn = (file: string): string[] => {
  const report: { results: { id: string; verdict: string; exchanges: number }[] } = JSON.parse(
    readFileSync(join(folder, file), 'utf8'),
  )
  return report.results.map(({ id, verdict }) => `${verdict} ${id}`)
}

test('what a killed run put in place is taken away by cleanup', async () => {
  const before = await countRows(server)
  await killed()
  expect(await countRows(server)).not.toEqual(before)
  expect(await finished(contract('cleanup'))).toBe(0)
  expect(await countRows(server)).toEqual(before)
})

test('a killed run is taken up where it was, and says what one says that was not killed', async () => {
  const before = await countRows(server)
  const early = await killed()
  expect(await finished(contract(...selection, '--resume', '--json', join(folder, 'resumed')))).toBe(0)
  expect(await countRows(server)).toEqual(before)
  // No check was made twice.
  const all = done()
  expect(all.slice(0, early.length)).toEqual(early)
  expect(new Set(all).size).toBe(all.length)
  expect(await finished(contract(...selection, '--json', join(folder, 'whole')))).toBe(0)
  expect(verdictsIn('resumed')).toEqual(verdictsIn('whole'))
})

test('outside of a sandbox, what a run makes carries its tag and is removed, and nothing else is', async () => {
  const tables = ['alert_configs', 'access_roles', 'export_buckets', 'snapshots', 'search_indexes'] as const
  const rows = () => Promise.all(tables.map((table) => rowsIn(server, table)))
  const before = await rows()
  const runTag = 'contract-of-this-test'
  const made: string[] = []
  const kit = await openKit({
    target: demoTarget({ baseUrl: server.url }),
    selection: {
      operations: [
        'createAlertConfig',
        'createCloudProviderAccessRole',
        'createExportBucket',
        'getAlertConfig',
      ],
      versions: ['v1.0', '2023-01-01'],
    },
    runTag,
    keepPasses: true,
    journalFile: journal(),
    waiting: { now: () => 0, sleep: async () => {} },
    onResult: ({ exchange }) => {
      const { request, response } = exchange ?? {}
      if (
        request?.method === 'POST' &&
        request.path.includes('/alertConfigs') &&
        response &&
        response.status < 300
      )
        made.push(request.body ?? '')
    },
  })
  const { left } = await kit.run()
  expect(left).toEqual([])
  expect(await rows()).toEqual(before)
  expect(made.length).toBeGreaterThan(20)
  // Who might be told of an alert that it raises is told by whom; a configuration that is switched off raises none.
  const others = made.filter((body) => !body.includes(runTag) && !body.includes('"enabled":false'))
  expect(others.filter((body) => body.includes('@'))).toEqual([])
  // All of it was there for a while.
  const lines = readFileSync(journal(), 'utf8').split('\n')
  for (const id of ['deleteAlertConfig', 'deauthorizeCloudProviderAccessRole', 'deleteExportBucket'])
    expect([id, lines.some((line) => line.startsWith(`{"verb":"made","operation":"${id}"`))]).toEqual([
      id,
      true,
    ])
})
