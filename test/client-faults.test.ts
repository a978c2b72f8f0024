import {
  AuthenticationError,
  type ClientOptions,
  createClient,
  NetworkError,
  ParseError,
  RateLimitError,
  TimeoutError,
} from '@svc-admin/client'
import { type RunningServer, startServer } from '@svc-admin/server'
import { loadDemo } from '@svc-admin/spec'
import { operations } from '@svc-admin/types'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clusterName, groupId, owner } from './demo.ts'
import {
  cutConnection,
  type FaultProxy,
  limited,
  lostBehindGateway,
  resetAfter,
  resetBefore,
  slowBody,
  startFaultProxy,
  truncatedJson,
  withAuthorization,
} from './fault-proxy.ts'
import { createHastyClock } from './hasty-clock.ts'

const nonceLifetime = 300
let server: RunningServer
let proxy: FaultProxy

beforeAll(async () => {
  server = await startServer({ sandbox: true, nonceLifetime })
  proxy = await startFaultProxy(server.url)
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})
beforeEach(async () => {
  await moveServer(61)
  proxy.faults.length = 0
  proxy.seen.length = 0
})

/** Limits of the last minute are over, and what runs by time has gone on. */
async function moveServer(advanceSeconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds })
  const { ok } = await fetch(`${server.controlUrl}/clock`, { method: 'PUT', body })
  if (!ok) throw new Error('The clock of the server does not move.')
}

/** A client whose first call went through, so that what follows meets the faults and not its authentication. */
async function connect(credentials: ClientOptions['credentials'] = owner.key) {
  const clock = createHastyClock(10_000)
  const options = { baseUrl: proxy.url, credentials, clock, random: () => 0 }
  const client = createClient({ ...options, version: '2025-03-12' })
  await client.listMatcherFieldNames()
  proxy.seen.length = 0
  clock.waits.length = 0
  return { client, clock }
}

const snapshotsOf = async ({ listSnapshots }: Awaited<ReturnType<typeof connect>>['client']) =>
  (await listSnapshots.toArray({ groupId, clusterName })).map(({ id }) => id)
const place = { groupId, clusterName }
const takesSnapshot = (line: string) => line.startsWith('POST') && line.includes('/backup/snapshots')

test('a 429 is waited out, and never undercut', async () => {
  const { client, clock } = await connect()
  proxy.faults.push(limited('7'))
  const { attempts, data } = await client.listAlerts({ groupId }).withResponse()
  expect(data.totalCount).toBe(2)
  expect(attempts).toBe(2)
  expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(7_000)
})

test('a 429 that asks for more than the cap is thrown at once, with the delay', async () => {
  const { client } = await connect()
  proxy.faults.push(limited('300'))
  const error = await client.listAlerts({ groupId }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RateLimitError)
  expect(error).toMatchObject({ retryAfterMs: 300_000, attempts: 1 })
  expect(proxy.seen).toHaveLength(1)
})

test('a nonce that went stale costs one request, and no call', async () => {
  const { client } = await connect()
  await moveServer(nonceLifetime + 1)
  expect((await client.listAlerts({ groupId }).withResponse()).attempts).toBe(1)
  expect(proxy.seen).toHaveLength(2)
  await client.listAlerts({ groupId })
  expect(proxy.seen).toHaveLength(3)
})

test('a token that the server takes no longer is replaced once, for all calls at the same time', async () => {
  const { client } = await connect(owner.account)
  // The client's own clock does not know: for it the token is good for an hour yet.
  await moveServer(3_600)
  const responses = await Promise.all(Array.from({ length: 10 }, () => client.listAlerts({ groupId })))
  expect(responses.map(({ totalCount }) => totalCount)).toEqual(responses.map(() => 2))
  expect(proxy.seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  expect(proxy.seen).toHaveLength(21)
})

test('a 401 that lasts is an AuthenticationError', async () => {
  const { client } = await connect(owner.account)
  proxy.faults.push(withAuthorization('Bearer a'), withAuthorization('Bearer b'))
  const error = await client.listAlerts({ groupId }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error).toMatchObject({ status: 401, errorCode: 'UNAUTHORIZED' })
  expect(JSON.stringify(error)).not.toContain(owner.account.clientSecret)
})

test('a body that stops half-way ends with the time of the attempt, and is asked for again', async () => {
  const { client, clock } = await connect()
  proxy.faults.push(slowBody(() => clock.expire()))
  expect((await client.listAlerts({ groupId }).withResponse()).attempts).toBe(2)
  proxy.faults.push(slowBody(() => clock.expire()))
  const once = client.listAlerts({ groupId }, { retry: { maxRetries: 0 } })
  await expect(once).rejects.toBeInstanceOf(TimeoutError)
})

test('a body that stops half-way is left at once when the caller aborts', async () => {
  const { client } = await connect()
  const controller = new AbortController()
  proxy.faults.push(slowBody(() => controller.abort(new Error('enough'))))
  const call = client.listAlerts({ groupId }, { signal: controller.signal })
  await expect(call).rejects.toThrow('enough')
  expect(proxy.seen).toHaveLength(1)
})

test('JSON that breaks off is a ParseError, and no half of a list', async () => {
  const { client } = await connect()
  proxy.faults.push(truncatedJson)
  const error = await client.listAlerts({ groupId }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ParseError)
  expect(error).toMatchObject({ status: 200, operationId: 'listAlerts' })
})

test.each([
  ['is reset before there is an answer', resetBefore],
  ['breaks off in the body', cutConnection],
])('a connection that %s is made again for a call that reads', async (_, fault) => {
  const { client } = await connect()
  proxy.faults.push(fault)
  expect((await client.listAlerts({ groupId }).withResponse()).attempts).toBe(2)
})

test.each([
  ['the connection was reset', resetAfter, NetworkError],
  ['a gateway lost the answer', lostBehindGateway, Error],
])('a snapshot that was taken when %s is not taken again', async (_, fault, Class) => {
  const { client } = await connect()
  const before = await snapshotsOf(client)
  proxy.seen.length = 0
  proxy.faults.push(fault)
  const body = { description: 'once', retentionInDays: 1 }
  await expect(client.takeSnapshot({ ...place, body })).rejects.toBeInstanceOf(Class)
  expect(proxy.seen.filter(takesSnapshot)).toHaveLength(1)
  expect(await snapshotsOf(client)).toHaveLength(before.length + 1)
})

test('a snapshot that a 429 held back is taken, once', async () => {
  const { client } = await connect()
  const before = await snapshotsOf(client)
  proxy.seen.length = 0
  proxy.faults.push(limited('1'))
  const { id } = await client.takeSnapshot({ ...place, body: { description: 'once', retentionInDays: 1 } })
  expect(proxy.seen.filter(takesSnapshot)).toHaveLength(2)
  const after = await snapshotsOf(client)
  expect(after).toHaveLength(before.length + 1)
  expect(after).toContain(id)
})

test('an index whose update had its answer lost is not given another version', async () => {
  const { client } = await connect()
  const [index] = await client.listSearchIndexes(place)
  const { indexID: indexId = '', latestDefinitionVersion } = index ?? {}
  const body = { definition: { mappings: { dynamic: false } } }
  proxy.faults.push(resetAfter)
  await expect(client.updateSearchIndex({ ...place, indexId, body })).rejects.toBeInstanceOf(NetworkError)
  const after = await client.getSearchIndex({ ...place, indexId })
  expect(after.latestDefinitionVersion?.version).toBe((latestDefinitionVersion?.version ?? 0) + 1)
})

test('what the documents let be repeated leaves the same state, however often it is sent', async () => {
  const { client } = await connect()
  const idOf = (collection: string) => String(loadDemo()[collection]?.[0]?.id)
  const alert = { groupId, alertId: idOf('alerts') }
  const config = { groupId, alertConfigId: idOf('alertConfigs') }
  const { id: snapshotId } = await client.takeSnapshot({ ...place, body: { retentionInDays: 1 } })
  await moveServer(600)
  const acknowledgement = { acknowledgedUntil: '2125-01-01T00:00:00Z', acknowledgementComment: 'known' }
  const changes: Record<string, () => Promise<object>> = {
    acknowledgeAlert: async () => await client.acknowledgeAlert({ ...alert, body: acknowledgement }),
    toggleAlertConfig: async () => await client.toggleAlertConfig({ ...config, body: { enabled: false } }),
    updateAuditingConfig: async () => await client.updateAuditingConfig({ groupId, body: { enabled: true } }),
    updateCustomDns: async () => await client.updateCustomDns({ groupId, body: { enabled: false } }),
    updateSnapshotRetention: async () =>
      await client.updateSnapshotRetention({
        ...place,
        snapshotId,
        body: { retentionUnit: 'MONTHS', retentionValue: 11 },
      }),
  }
  const marked = Object.values(operations).filter(
    ({ method, idempotent }) => (method === 'PATCH' || method === 'POST') && idempotent,
  )
  expect(Object.keys(changes).sort()).toEqual(marked.map(({ id }) => id).sort())
  for (const [id, change] of Object.entries(changes)) {
    const first = await change()
    await moveServer(61)
    proxy.faults.push(resetAfter)
    expect({ ...(await change()), updated: '' }, id).toEqual({ ...first, updated: '' })
  }
})
