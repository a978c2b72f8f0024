import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { demoTarget, openKit } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildCall } from '../packages/contract/src/model/call.ts'
import { reportFromJson } from '../packages/contract/src/report/json.ts'
import type { Report } from '../packages/contract/src/report/report.ts'
import { countRows, rowsIn } from './sandbox-rows.ts'
import { checksIn, finished, spawnContract } from './spawned-kit.ts'

// Tests the guarantees for shared services by running the command and killing it, as a user would.
vi.setConfig({ testTimeout: 600_000 })

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

const spawnKit = (...args: string[]): ChildProcess => spawnContract(...args, '--journal', journal())

/** Starts the command against the sandbox. */
const contract = (...args: string[]): ChildProcess =>
  spawnKit(...args, '--base-url', server.url, '--control', server.controlUrl ?? '')

const done = (): string[] => checksIn(journal())

/**
 * One check per requirement is enough, because the resources that a run creates and restores don't depend on the number
 * of inputs.
 */
const selection = ['run', '-q', '-j', '2', '--brief', '--version', 'v1.0', '--operation', 'updateAlertConfig']

/** Interrupts a run and returns its exit code. */
const ended = async (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
  const child = contract(...selection, '--json', join(folder, 'ended'))
  await vi.waitUntil(() => done().length >= 20 || child.exitCode !== null, { timeout: 300_000, interval: 20 })
  child.kill(signal)
  return finished(child)
}

/** Kills a run and returns the checks that had finished. */
const killed = async (): Promise<string[]> => {
  await ended('SIGKILL')
  return done()
}

interface ReportedResult {
  readonly id: string
  readonly verdict: string
  readonly exchange?: object
  readonly curl?: string
}

const reportIn = (file: string): Report =>
  reportFromJson(JSON.parse(readFileSync(join(folder, file), 'utf8')))

const verdictsIn = (file: string): string[] =>
  reportIn(file)
    .results.map(({ id, verdict }) => `${verdict} ${id}`)
    .sort()

/** The results with exchanges that a run wrote to a file, one on each line. */
const exchangesIn = (file: string): ReportedResult[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('cleanup removes what a killed run seeded', async () => {
  const before = await countRows(server)
  await killed()
  expect(await countRows(server)).not.toEqual(before)
  expect(await finished(contract('cleanup'))).toBe(0)
  expect(await countRows(server)).toEqual(before)
})

test('cleanup ends the conditions of a killed run, and reports them', async () => {
  const open = async () => {
    const alerts = (await rowsIn(server, 'alerts')).map((row) => JSON.parse(row))
    return alerts.flatMap(({ id, status }) => (status === 'CLOSED' ? [] : [id])).sort()
  }
  const before = await open()
  const file = join(folder, 'target.json')
  const hooks = { raiseEvent: { url: `${server.controlUrl}/events` } }
  writeFileSync(file, JSON.stringify({ ...demoTarget({ baseUrl: server.url }), hooks }))
  const some = ['--target', file, '--operation', 'listAlerts']
  const child = spawnKit(...some, 'run', '-q', '-j', '2', '--version', 'v1.0')
  await vi.waitUntil(() => done().length >= 5 || child.exitCode !== null, { timeout: 300_000, interval: 20 })
  child.kill('SIGKILL')
  await finished(child)
  expect((await open()).length).toBeGreaterThan(before.length)
  const cleaning = spawnKit(...some, 'cleanup')
  const told = text(cleaning.stdout ?? expect.fail())
  expect(await finished(cleaning)).toBe(0)
  expect(await told).toMatch(/^ended: +DEPLOYMENT_FAILURE at \S+ \S+$/m)
  expect(await open()).toEqual(before)
})

test('cleanup restores the clock that a killed run moved, and reports it', async () => {
  const ahead = async () => {
    const answer = await fetch(`${server.controlUrl}/clock`)
    return Date.parse((await answer.json()).now) - Date.now()
  }
  const some = ['--operation', 'takeSnapshot', '--version', '2023-01-01']
  const child = contract('run', '-q', '-j', '2', ...some)
  const moved = async () => child.exitCode !== null || (await ahead()) > 60_000
  await vi.waitUntil(moved, { timeout: 300_000, interval: 20 })
  child.kill('SIGKILL')
  await finished(child)
  expect(await ahead()).toBeGreaterThan(60_000)
  const cleaning = contract('cleanup', ...some)
  const told = text(cleaning.stdout ?? expect.fail())
  expect(await finished(cleaning)).toBe(0)
  expect(await told).toMatch(/^moved: +the clock: set back to \S+$/m)
  expect(Math.abs(await ahead())).toBeLessThan(2000)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a run interrupted by %s removes what it seeded, reports, and can be resumed',
  async (signal) => {
    const before = await countRows(server)
    expect(await ended(signal)).toBe(130)
    expect(await countRows(server)).toEqual(before)
    const early = done()
    // Finished checks are in both the report and the journal. Interrupted checks are in neither.
    const reported = verdictsIn('ended').join('\n')
    expect(early.filter((id) => !reported.includes(`PASS ${id}`))).toEqual([])
    expect(reported).not.toMatch(/^(FAIL|WARN|KIT ERROR)/m)
    expect(await finished(contract(...selection, '--resume'))).toBe(0)
    expect(new Set(done()).size).toBe(done().length)
    expect(done().length).toBeGreaterThan(early.length)
  },
)

test('--keep leaves the resources in place until cleanup, so that the curl commands work', async () => {
  const before = await countRows(server)
  const run = ['run', '-q', '--version', '2023-01-01', '--operation', 'getAlertConfig', '--keep']
  const keeping = contract(...run, '--exchanges', join(folder, 'kept'))
  const told = text(keeping.stdout ?? expect.fail())
  expect(await finished(keeping)).toBe(0)
  const passed = exchangesIn('kept').find(({ id }) => id.startsWith('auth.digest-accepted@'))
  expect((await told).split('\n').filter((line) => line.length > 80 && !line.includes(folder))).toEqual([])
  const [, holder = ''] = / # as (\w+)$/.exec(passed?.curl ?? '') ?? []
  const credentials = new RegExp(`# as ${holder}\\n *(SVC_PUBLIC_KEY=\\S+) (SVC_PRIVATE_KEY=\\S+)`).exec(
    await told,
  )
  const exported = (credentials ?? []).slice(1).map((one) => `export ${one}`)
  expect(exported).toHaveLength(2)
  const repeated = await promisify(execFile)('sh', ['-c', [...exported, passed?.curl].join('\n')])
  expect(repeated.stdout).toMatch(/^HTTP\/1.1 200 /m)
  expect(await countRows(server)).not.toEqual(before)
  expect(await finished(contract('cleanup'))).toBe(0)
  expect(await countRows(server)).toEqual(before)
})

test('a killed run is resumed where it was, and reports the same as one that was not killed', async () => {
  const before = await countRows(server)
  const early = await killed()
  const files = ['--json', join(folder, 'resumed'), '--exchanges', join(folder, 'exchanges')]
  expect(await finished(contract(...selection, '--resume', ...files))).toBe(0)
  expect(await countRows(server)).toEqual(before)
  // No check ran twice.
  const all = done()
  expect(all.slice(0, early.length)).toEqual(early)
  expect(new Set(all).size).toBe(all.length)
  expect(await finished(contract(...selection, '--json', join(folder, 'whole')))).toBe(0)
  expect(verdictsIn('resumed')).toEqual(verdictsIn('whole'))
  // Checks that ran after the crash also wrote their exchanges.
  expect(exchangesIn('exchanges').length).toBeGreaterThan(50)
})

test('outside of a sandbox, a run tags and removes everything it creates, and nothing else', async () => {
  const tables = ['alert_configs', 'access_roles', 'export_buckets', 'snapshots', 'search_indexes'] as const
  const rows = () => Promise.all(tables.map((table) => rowsIn(server, table)))
  const before = await rows()
  const runTag = 'contract-of-this-test'
  const made: string[] = []
  const passed = new Set<string>()
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
      brief: true,
    },
    runTag,
    keepPasses: true,
    journalFile: journal(),
    timer: { now: () => 0, sleep: async () => {} },
    onResult: ({ exchange, requirement, verdict }) => {
      if (verdict === 'PASS') passed.add(requirement)
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
  const { leftovers } = await kit.run()
  expect(leftovers).toEqual([])
  expect(await rows()).toEqual(before)
  expect(made.length).toBeGreaterThan(20)
  // The run's alerts notify only the run's own address. A disabled configuration raises no alerts.
  const others = made.filter((body) => !body.includes(runTag) && !body.includes('"enabled":false'))
  expect(others.filter((body) => body.includes('@'))).toEqual([])
  for (const id of ['provider-required', 'answers-with-role', 'external-id-its-own'])
    expect([...passed]).toContain(`createCloudProviderAccessRole.${id}`)
  // All of these resources existed for a while.
  const lines = readFileSync(journal(), 'utf8').split('\n')
  for (const id of ['deleteAlertConfig', 'deauthorizeCloudProviderAccessRole', 'deleteExportBucket'])
    expect([id, lines.some((line) => line.startsWith(`{"verb":"made","operation":"${id}"`))]).toEqual([
      id,
      true,
    ])
})

/** Requirements that are tested with settings from the target file. */
const triedOnLent: Readonly<Record<string, readonly string[]>> = {
  updateCustomDns: ['updateCustomDns.stored', 'updateCustomDns.enabled-required'],
  updateAuditingConfig: ['updateAuditingConfig.stored', 'updateAuditingConfig.filter-not-json-refused'],
  updateSearchAnalyzers: ['updateSearchAnalyzers.name-required', 'updateSearchAnalyzers.replaces-all'],
}

const settings = {
  updateCustomDns: 'getCustomDns',
  updateAuditingConfig: 'getAuditingConfig',
  updateBackupSchedule: 'getBackupSchedule',
  updateSearchAnalyzers: 'listSearchAnalyzers',
  acknowledgeAlert: 'getAlert',
} as const

/** A target that consists of only a target file, with one cluster. */
const plainTarget = (clusterName: string) => {
  const demo = demoTarget({ baseUrl: server.url })
  const clusters = (demo.clusters ?? []).filter(({ name }) => name === clusterName)
  return { ...demo, clusters, things: { ...demo.things, clusterName } }
}

type PlainTarget = ReturnType<typeof plainTarget>

type Setting = keyof typeof settings
const settingIds = Object.keys(settings).filter((id): id is Setting => Object.hasOwn(settings, id))

/** The settings as a client reads them, except the time of the last read. */
const readSettings = async (target: PlainTarget, ids: readonly Setting[]): Promise<readonly unknown[]> => {
  const kit = await openKit({ target, selection: { operations: ['getCustomDns'] } })
  const responses: unknown[] = []
  for (const id of ids) {
    const body: unknown = await kit.context.perform(settings[id], target.things)
    const { updated, lastNotified, ...rest } = Object(body)
    responses.push(Array.isArray(body) ? body : rest)
  }
  kit.close()
  return responses
}

test.each([
  [
    'orders-eu',
    ['updateCustomDns', 'updateAuditingConfig', 'updateSearchAnalyzers', 'acknowledgeAlert'],
    ['v1.0'],
  ],
  [
    'orders-eu',
    ['updateCustomDns', 'updateAuditingConfig', 'updateSearchAnalyzers', 'acknowledgeAlert'],
    ['2023-01-01', '2024-05-30'],
  ],
  ['orders-eu', ['updateBackupSchedule'], ['2023-01-01']],
  ['orders-eu', ['updateBackupSchedule'], ['2024-08-05']],
] as const)(
  'outside of a sandbox, a run restores what it changes: of %s %j in %j',
  async (clusterName, operations, versions) => {
    const target = plainTarget(clusterName)
    const before = await readSettings(target, operations)
    const selection = { operations, versions, brief: true }
    const kit = await openKit({ target, selection, journalFile: journal() })
    const { results, leftovers } = await kit.run()
    expect(leftovers).toEqual([])
    expect(await readSettings(target, operations)).toEqual(before)
    const written = readFileSync(journal(), 'utf8')
    for (const operation of operations) {
      expect(written).toContain(`{"found":{"operation":"${operation}"`)
      const passed = results.filter((one) => one.operation === operation && one.verdict === 'PASS')
      expect([operation, passed.length > 10]).toEqual([operation, true])
      const tried = new Set(passed.map(({ requirement }) => requirement))
      expect((triedOnLent[operation] ?? []).filter((id) => !tried.has(id))).toEqual([])
    }
  },
)

test.each(['v1.0', '2024-05-30'] as const)('restores each changed setting, in %s', async (version) => {
  const target = plainTarget('orders-eu')
  const kit = await openKit({
    target,
    selection: { operations: ['acknowledgeAlert'], versions: [version] },
  })
  const item = { frequencyType: 'daily', frequencyInterval: 1, retentionUnit: 'days', retentionValue: 9 }
  const changes: Readonly<Record<Setting, object>> = {
    updateCustomDns: { enabled: false },
    updateAuditingConfig: { enabled: false, auditAuthorizationSuccess: true, auditFilter: '{}' },
    updateBackupSchedule: {
      referenceHourOfDay: 9,
      policies: [{ policyItems: [item] }],
      restoreWindowDays: 1,
    },
    updateSearchAnalyzers: [],
    acknowledgeAlert: { acknowledgedUntil: '2099-01-01T00:00:00Z', acknowledgementComment: 'seen' },
  }
  for (const id of settingIds) {
    const before = await readSettings(target, [id])
    const cell = kit.context.api.cells.find(({ operation }) => operation.id === id)
    if (cell === undefined) throw new Error(`there is no ${id}`)
    await kit.context.beforeChange(
      buildCall(cell, { parameters: target.things, body: {}, as: { kind: 'none' } }),
    )
    const body = JSON.parse(JSON.stringify(changes[id]))
    await kit.context.perform(id, target.things, { body })
    expect([id, await readSettings(target, [id])]).not.toEqual([id, before])
    expect(await kit.context.cleanUp()).toEqual([])
    expect([id, await readSettings(target, [id])]).toEqual([id, before])
  }
  kit.close()
})

test('reports settings that no request can unset again', async () => {
  const target = plainTarget('orders-archive')
  const [before] = await readSettings(target, ['updateBackupSchedule'])
  const selection = { operations: ['updateBackupSchedule'], versions: ['2024-08-05'], brief: true }
  const kit = await openKit({ target, selection, journalFile: journal() })
  const { leftovers } = await kit.run()
  const [after] = await readSettings(target, ['updateBackupSchedule'])
  const differing = Object.keys(Object(after)).filter(
    (name) => JSON.stringify(Object(after)[name]) !== JSON.stringify(Object(before)[name]),
  )
  // The schedule creates no new snapshots, exports or copies.
  expect(after).toMatchObject({ policies: [], autoExportEnabled: false })
  expect(leftovers).toHaveLength(1)
  for (const { reason } of leftovers)
    for (const name of differing.filter((one) => !Array.isArray(Object(after)[one])))
      expect(reason).toContain(name)
})

test('cleanup restores what a killed run changed, once', async () => {
  const target = plainTarget('orders-eu')
  const ids = ['updateCustomDns', 'updateBackupSchedule'] as const
  const before = await readSettings(target, ids)
  let made = 0
  const killed = await openKit({
    target,
    selection: { operations: ids, versions: ['2024-08-05', '2023-01-01'], brief: true },
    journalFile: journal(),
    // Simulates a killed run, which doesn't clean up.
    keep: true,
    onResult: () => {
      made += 1
      if (made > killed.plan.cases.length - 10) throw new Error('killed')
    },
  })
  await expect(killed.run()).rejects.toThrow('killed')
  expect(await readSettings(target, ids)).not.toEqual(before)
  const cleanUp = async () => {
    const kit = await openKit({ target, selection: { operations: ids }, journalFile: journal() })
    const left = await kit.context.cleanUp()
    kit.close()
    return left
  }
  expect(await cleanUp()).toEqual([])
  expect(await readSettings(target, ids)).toEqual(before)
  // The journal is empty, so the kit treats later changes as other callers' changes.
  const other = await openKit({ target, selection: { operations: ['getCustomDns'] } })
  const { enabled } = Object(before[0])
  await other.context.perform('updateCustomDns', target.things, { body: { enabled: !enabled } })
  other.close()
  const since = await readSettings(target, ids)
  expect(await cleanUp()).toEqual([])
  expect(await readSettings(target, ids)).toEqual(since)
})
