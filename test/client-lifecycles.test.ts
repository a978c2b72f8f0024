import { createClient, type v2025_03_12, WaitError } from '@svc-admin/client'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusterName, credentialsOf, groupId, owner } from './demo.ts'
import { createFastClock } from './fast-clock.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ sandbox: true })
})
afterAll(() => server.stop())

async function control(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${server.controlUrl}${path}`, { method, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}

/** A client that advances the server's clock instead of waiting. */
function connect(credentials = owner.key) {
  const onWait = (ms: number) => control('PUT', '/clock', { advanceSeconds: Math.ceil(ms / 1000) })
  const clock = createFastClock(30_000, onWait)
  return createClient({ baseUrl: server.url, credentials, version: '2025-03-12', clock })
}

test('waits until a snapshot is completed, and reports each read', async () => {
  const client = connect()
  const place = { groupId, clusterName }
  const { id } = await client.takeSnapshot({ ...place, body: { description: 'a', retentionInDays: 7 } })
  const read = () => client.getSnapshot({ ...place, snapshotId: id })
  const states: (string | undefined)[] = []
  const onProgress = ({ state }: { state: string | undefined }) => states.push(state)
  const snapshot = await client.waitFor('snapshot', read, { until: 'completed', onProgress })
  expect(snapshot).toMatchObject({ id, status: 'completed' })
  expect([...new Set(states)]).toEqual(['queued', 'inProgress', 'completed'])
})

test('waits until a restore job is finished, a state without a field', async () => {
  const client = connect()
  const place = { groupId, clusterName }
  const { id: snapshotId } = await client.takeSnapshot({
    ...place,
    body: { description: 'c', retentionInDays: 7 },
  })
  await client.waitFor('snapshot', () => client.getSnapshot({ ...place, snapshotId }), { until: 'completed' })
  const body = { deliveryType: 'download', snapshotId } as const
  const { id: restoreJobId } = await client.createRestoreJob({ ...place, body })
  const read = () => client.getRestoreJob({ ...place, restoreJobId })
  const states: (string | undefined)[] = []
  const onProgress = ({ state }: { state: string | undefined }) => states.push(state)
  const job = await client.waitFor('restore-job', read, { until: 'finished', onProgress })
  expect(job).toHaveProperty('finishedAt')
  expect([...new Set(states)]).toEqual(['running', 'finished'])
})

test('stops waiting when a snapshot fails', async () => {
  const client = connect()
  const place = { groupId, clusterName }
  const { id } = await client.takeSnapshot({ ...place, body: { description: 'b', retentionInDays: 7 } })
  await control('POST', '/backups/snapshots/fail', { ...place, snapshotId: id })
  const read = () => client.getSnapshot({ ...place, snapshotId: id })
  const error = await client
    .waitFor('snapshot', read, { until: 'completed' })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WaitError)
  expect(error).toMatchObject({ reason: 'unreachable', progress: { state: 'failed' } })
})

test('waits until a Search index is ready', async () => {
  const client = connect()
  const place = { groupId, clusterName }
  const definition = { mappings: { dynamic: true } }
  const body = { database: 'sales', collectionName: 'invoices', name: 'all', definition }
  const { indexID } = await client.createSearchIndex({ ...place, body })
  const read = () => client.getSearchIndex({ ...place, indexId: indexID })
  const index = await client.waitFor('search-index', read, { until: 'READY' })
  expect(index).toMatchObject({ status: 'READY', queryable: true })
})

test('waits until a live migration can be cut over, and then until it is complete', async () => {
  const client = connect(credentialsOf('Organization owner').key)
  const body: v2025_03_12.MigrationRequestInput = {
    source: { clusterName: 'orders-onprem', groupId, managedAuthentication: true, ssl: true },
    destination: { clusterName, groupId, hostnameSchemaType: 'PUBLIC' },
    migrationHosts: ['mover-01.lindgren.example'],
    dropEnabled: false,
  }
  const { _id: liveMigrationId } = await client.createMigration({ groupId, body })
  const read = () => client.getMigration({ groupId, liveMigrationId })
  const ready = await client.waitFor('live-migration', read, {
    until: ({ readyForCutover }) => readyForCutover === true,
  })
  expect(ready).toMatchObject({ status: 'WORKING', lagTimeSeconds: 0 })
  await client.cutoverMigration({ groupId, liveMigrationId })
  expect((await client.waitFor('live-migration', read, { until: 'COMPLETE' })).status).toBe('COMPLETE')
  const late = client.waitFor('live-migration', read, { until: ({ readyForCutover }) => !!readyForCutover })
  await expect(late).rejects.toMatchObject({ reason: 'unreachable' })
})
