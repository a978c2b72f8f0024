import { expect, it } from 'vitest'
import { freeBucket, monthlySnapshot } from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'
import { controlOperations, controlViolationsOf, exampleOf } from '../../test/control-check.ts'
import { controlActions } from './control.ts'

/** Endpoints that don't return JSON and don't belong to the actions. */
const besides = ['GET /stream', 'GET /metrics']

it('describes every action of the control interface and nothing else', () => {
  const described = controlOperations.map(({ name }) => name)
  expect(described.sort()).toEqual([...Object.keys(controlActions), ...besides].sort())
})

it('reports violations in a response', () => {
  const answered = (body: unknown, type = 'application/json') => ({
    status: 200,
    headers: new Headers({ 'content-type': type }),
    body,
  })
  expect(controlViolationsOf('GET', '/clock', answered({ now: '2026-01-01T00:00:00Z', rate: 1 }))).toEqual([])
  for (const wrong of [{ now: 'noon', rate: 1 }, { now: '2026-01-01T00:00:00Z' }, { rate: 1, extra: true }]) {
    expect(controlViolationsOf('GET', '/worlds/x/clock', answered(wrong))).not.toEqual([])
  }
  expect(controlViolationsOf('GET', '/clocks', answered({}))).toHaveLength(1)
  expect(controlViolationsOf('GET', '/clock', answered('', 'text/plain'))).toHaveLength(1)
  expect(controlViolationsOf('POST', '/reset', answered({ surplus: 1 }))).toHaveLength(1)
})

/** Creates the resources that an operation's example needs, and returns the fields that identify them. */
type Before = (server: CheckedServer) => Promise<object>

const orders = `/groups/${projectId}/clusters/orders-eu`
const send = (server: CheckedServer, method: string, path: string, json: unknown) =>
  server.ask(path, { method, json })
const beginExport: Before = async (server) => {
  const json = { exportBucketId: freeBucket, snapshotId: monthlySnapshot }
  return { exportId: (await send(server, 'POST', `${orders}/backup/exports`, json)).at('id') }
}
const before: Readonly<Record<string, Before>> = {
  'POST /migration-validations/fail': async (server) => {
    const json = {
      source: { clusterName: 'orders-onprem', groupId: '64b7e1c20f3a5d6e7f809191', password: 'any' },
      destination: { clusterName: 'orders-eu', groupId: projectId },
      migrationHosts: ['mover-01.lindgren.example'],
      dropEnabled: false,
    }
    const begun = await send(server, 'POST', `/groups/${projectId}/liveMigrations/validate`, json)
    return { validationId: begun.at('_id') }
  },
  'POST /search-indexes/fail': async (server) => {
    const { indexId } = Object(exampleAt('POST /search-indexes/fail'))
    const json = { definition: { mappings: { dynamic: true } } }
    await send(server, 'PATCH', `${orders}/search/indexes/${indexId}`, json)
    return {}
  },
  'POST /backups/snapshots/fail': async (server) => {
    const taken = await server.control('POST', '/backups/snapshots', exampleAt('POST /backups/snapshots'))
    return { snapshotId: taken.at('id') }
  },
  'POST /backups/exports/fail': beginExport,
  'POST /backups/exports/cancel': beginExport,
}
const exampleAt = (wanted: string) =>
  controlOperations.flatMap(({ name, operation }) => (name === wanted ? [exampleOf(operation)] : []))[0]

const exemplified = controlOperations.filter(({ operation }) => exampleOf(operation) !== undefined)

it.each(exemplified.map(({ name, operation }) => [name, operation] as const))(
  'accepts the example request of %s on the initial demo',
  async (name, operation) => {
    const server = await startChecked({ webhooks: false })
    const [method = '', path = ''] = name.split(' ')
    const named = await before[name]?.(server)
    const body = { ...Object(exampleOf(operation)), ...named }
    const response = await server.control(method, path.replace(':name', 'mine'), body)
    expect([response.status, response.at('errorCode')]).toEqual([200, undefined])
    // The server also accepts an event that no alert configuration is watching for, but that event would have no
    // effect.
    if (name === 'POST /events') expect(response.at('alerts')).toHaveLength(1)
  },
)

it.each(Object.entries(before).map(([name]) => name))('documents the prerequisites of %s', async (name) => {
  const operation = controlOperations.find((each) => each.name === name)?.operation
  expect(operation?.description).toMatch(/`(?:\w+|POST \/backups\/snapshots)`/)
})

it('returns responses without a body as documented', async () => {
  const server = await startChecked({ webhooks: false })
  await server.control('POST', '/snapshots')
  const fault = await server.control('POST', '/faults', exampleAt('POST /faults'))
  await server.control('POST', '/worlds', exampleAt('POST /worlds'))
  const refused: string[] = []
  const without = controlOperations.flatMap(({ name, operation }) =>
    name === 'GET /stream' || exampleOf(operation) !== undefined ? [] : [name],
  )
  // Run deletions last. Delete single resources before all resources are deleted.
  const rank = (name: string) => (name.startsWith('DELETE') ? 1000 - name.length : 0)
  for (const name of without.sort((one, other) => rank(one) - rank(other))) {
    const [method = '', path = ''] = name.split(' ')
    const target = path
      .replace(':faultId', fault.textAt('id'))
      .replace(':snapshotId', 'snapshot-1')
      .replace(':worldId', 'checkout-test')
    const { status } = await server.control(method, target)
    if (status !== 200) refused.push(`${name}: ${status}`)
  }
  expect(refused).toEqual([])
})

it.each([
  ['username', 5, "'entries[0].username' must be a string"],
  ['authResult', 'yes', "'entries[0].authResult' must be a boolean"],
  ['ipAddress', '2'.repeat(46), "'entries[0].ipAddress' must be at most 15 characters long"],
  ['ipAddress', 'nonsense', "'entries[0].ipAddress' must have the format ipv4"],
  ['timestamp', '1969-12-31T23:59:59Z', "'timestamp' must not be before 1970-01-01T00:00:00Z"],
])('returns the %s of an attempt as documented', async (name, value, why) => {
  const server = await startChecked()
  const body = { groupId: projectId, clusterName: 'orders-eu', entries: [{ [name]: value }] }
  expect((await server.control('POST', '/access-logs', body)).at('detail')).toBe(`${why}.`)
})

it('shows an attempt without further details as failed', async () => {
  const server = await startChecked()
  const where = { groupId: projectId, clusterName: 'orders-eu' }
  await server.control('POST', '/access-logs', { ...where, entries: [{ username: 'app' }] })
  await server.control('POST', '/seed', { accessLogs: [{ ...where, username: 'seeded' }] })
  const path = `/groups/${projectId}/dbAccessHistory/clusters/${where.clusterName}`
  const logs = (await server.ask(path)).at('accessLogs')
  expect(logs).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ username: 'app', authResult: false }),
      expect.objectContaining({ username: 'seeded', authResult: false }),
    ]),
  )
  const seeded = { accessLogs: [{ ...where, ipAddress: 'nonsense' }] }
  expect((await server.control('POST', '/seed', seeded)).at('detail')).toBe(
    "'accessLogs[0].ipAddress' must have the format ipv4.",
  )
})

it.each([
  ['/requests?limi=1', undefined, ['limi'], 'The operation has no query parameter limi.'],
  ['/requests?limit=1&limit=2', undefined, ['limit'], 'The query parameter limit appears more than once.'],
  ['/stream?limit=1', undefined, ['limit'], 'The operation has no query parameter limit.'],
  ['/worlds/main/metrics?x', undefined, ['x'], 'The operation has no query parameter x.'],
  ['/snapshots', { x: 1 }, undefined, "The body has an unknown field 'x'. Allowed fields: none."],
  [
    '/snapshots/snapshot-1/restore',
    { x: 1 },
    undefined,
    "The body has an unknown field 'x'. Allowed fields: none.",
  ],
  ['/outbox/deliver', [], undefined, 'The body must be an object.'],
])('rejects unsupported input: %s %j', async (path, body, parameters, detail) => {
  const server = await startChecked()
  await server.control('POST', '/snapshots')
  const refused = await server.control(body ? 'POST' : 'GET', path, body)
  expect([refused.status, refused.at('parameters'), refused.at('detail')]).toEqual([400, parameters, detail])
})

it.each([
  [{ retentionValue: 30 }, "'retentionUnit' is required when 'retentionValue' is set"],
  [{ retentionUnit: 'DAYS' }, "'retentionValue' is required when 'retentionUnit' is set"],
  [
    { retentionUnit: 'NOPE', retentionValue: 1 },
    "'retentionUnit' must be one of days, weeks, months, years, DAYS, WEEKS, MONTHS, YEARS",
  ],
  [{ retentionUnit: 'DAYS', retentionValue: 0 }, "'retentionValue' must be an integer from 1 to 2147483647"],
  [
    { retentionUnit: 'DAYS', retentionValue: 1.5 },
    "'retentionValue' must be an integer from 1 to 2147483647",
  ],
])('takes no snapshot with the retention %j', async (retention, why) => {
  const server = await startChecked()
  const place = { groupId: projectId, clusterName: 'orders-eu' }
  const refused = await server.control('POST', '/backups/snapshots', { ...place, ...retention })
  expect([refused.status, refused.at('detail')]).toEqual([400, `${why}.`])
})

// Policies use lowercase units, but requests that change a retention use uppercase units.
it.each(['weeks', 'WEEKS'])('takes a snapshot with a retention in %s', async (retentionUnit) => {
  const server = await startChecked()
  const whole = { groupId: projectId, clusterName: 'orders-eu', retentionUnit, retentionValue: 2 }
  const { status, textAt } = await server.control('POST', '/backups/snapshots', whole)
  expect(status).toBe(200)
  const path = `/groups/${projectId}/clusters/orders-eu/backup/snapshots/${textAt('id')}`
  expect((await server.ask(path)).at('expiresAt')).toBe('2026-03-15T12:00:00Z')
})
