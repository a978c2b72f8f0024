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
import { createFastClock } from './fast-clock.ts'
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
  await advanceServer(61)
  proxy.faults.length = 0
  proxy.seen.length = 0
})

/** Advances the server's clock, which resets rate limits and triggers scheduled transitions. */
async function advanceServer(advanceSeconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds })
  const { ok } = await fetch(`${server.controlUrl}/clock`, { method: 'PUT', body })
  if (!ok) throw new Error('The clock of the server did not advance.')
}

/** Creates a client and makes one call, so that the client is already authenticated when faults occur. */
async function connect(credentials: ClientOptions['credentials'] = owner.key) {
  const clock = createFastClock(10_000)
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

test('a 429 delays the retry at least as long as requested', async () => {
  const { client, clock } = await connect()
  proxy.faults.push(limited('7'))
  const { attempts, data } = await client.listAlerts({ groupId }).withResponse()
  expect(data.totalCount).toBe(2)
  expect(attempts).toBe(2)
  expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(7_000)
})

test('a 429 with a delay above the maximum fails immediately, with the delay in the error', async () => {
  const { client } = await connect()
  proxy.faults.push(limited('300'))
  const error = await client.listAlerts({ groupId }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RateLimitError)
  expect(error).toMatchObject({ retryAfterMs: 300_000, attempts: 1 })
  expect(proxy.seen).toHaveLength(1)
})

test('a stale nonce costs one request and fails no call', async () => {
  const { client } = await connect()
  await advanceServer(nonceLifetime + 1)
  expect((await client.listAlerts({ groupId }).withResponse()).attempts).toBe(1)
  expect(proxy.seen).toHaveLength(2)
  await client.listAlerts({ groupId })
  expect(proxy.seen).toHaveLength(3)
})

test('a rejected token is replaced once for all parallel calls', async () => {
  const { client } = await connect(owner.account)
  // The client's own clock doesn't advance, so from the client's perspective the token is valid for another hour.
  await advanceServer(3_600)
  const responses = await Promise.all(Array.from({ length: 10 }, () => client.listAlerts({ groupId })))
  expect(responses.map(({ totalCount }) => totalCount)).toEqual(responses.map(() => 2))
  expect(proxy.seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  expect(proxy.seen).toHaveLength(21)
})

test('a permanent 401 is an AuthenticationError', async () => {
  const { client } = await connect(owner.account)
  proxy.faults.push(withAuthorization('Bearer a'), withAuthorization('Bearer b'))
  const error = await client.listAlerts({ groupId }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error).toMatchObject({ status: 401, errorCode: 'UNAUTHORIZED' })
  expect(JSON.stringify(error)).not.toContain(owner.account.clientSecret)
})

test('a body that stalls ends with the timeout of the attempt, and the call is retried', async () => {
  const { client, clock } = await connect()
  proxy.faults.push(slowBody(() => clock.expire()))
  expect((await client.listAlerts({ groupId }).withResponse()).attempts).toBe(2)
  proxy.faults.push(slowBody(() => clock.expire()))
  const once = client.listAlerts({ groupId }, { retry: { maxRetries: 0 } })
  await expect(once).rejects.toBeInstanceOf(TimeoutError)
})

test('a body that stalls ends immediately when the caller aborts', async () => {
  const { client } = await connect()
  const controller = new AbortController()
  proxy.faults.push(slowBody(() => controller.abort(new Error('enough'))))
  const call = client.listAlerts({ groupId }, { signal: controller.signal })
  await expect(call).rejects.toThrow('enough')
  expect(proxy.seen).toHaveLength(1)
})

test('truncated JSON is a ParseError, not a partial list', async () => {
  const { client } = await connect()
  proxy.faults.push(truncatedJson)
  const error = await client.listAlerts({ groupId }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ParseError)
  expect(error).toMatchObject({ status: 200, operationId: 'listAlerts' })
})

test.each([
  ['is reset before the response', resetBefore],
  ['breaks in the body', cutConnection],
])('a read is retried after a connection that %s', async (_, fault) => {
  const { client } = await connect()
  proxy.faults.push(fault)
  expect((await client.listAlerts({ groupId }).withResponse()).attempts).toBe(2)
})

test.each([
  ['a reset connection', resetAfter, NetworkError],
  ['a response lost by a gateway', lostBehindGateway, Error],
])('a snapshot is not taken twice after %s', async (_, fault, Class) => {
  const { client } = await connect()
  const before = await snapshotsOf(client)
  proxy.seen.length = 0
  proxy.faults.push(fault)
  const body = { description: 'once', retentionInDays: 1 }
  await expect(client.takeSnapshot({ ...place, body })).rejects.toBeInstanceOf(Class)
  expect(proxy.seen.filter(takesSnapshot)).toHaveLength(1)
  expect(await snapshotsOf(client)).toHaveLength(before.length + 1)
})

test('a snapshot is taken once after a 429', async () => {
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

test('an index update is not repeated after its response was lost', async () => {
  const { client } = await connect()
  const [index] = await client.listSearchIndexes(place)
  const { indexID: indexId = '', latestDefinitionVersion } = index ?? {}
  const body = { definition: { mappings: { dynamic: false } } }
  proxy.faults.push(resetAfter)
  await expect(client.updateSearchIndex({ ...place, indexId, body })).rejects.toBeInstanceOf(NetworkError)
  const after = await client.getSearchIndex({ ...place, indexId })
  expect(after.latestDefinitionVersion?.version).toBe((latestDefinitionVersion?.version ?? 0) + 1)
})

test('repeatable operations leave the same state when sent twice', async () => {
  const { client } = await connect()
  const idOf = (collection: string) => String(loadDemo()[collection]?.[0]?.id)
  const alert = { groupId, alertId: idOf('alerts') }
  const config = { groupId, alertConfigId: idOf('alertConfigs') }
  const { id: snapshotId } = await client.takeSnapshot({ ...place, body: { retentionInDays: 1 } })
  await advanceServer(600)
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
    await advanceServer(61)
    proxy.faults.push(resetAfter)
    expect({ ...(await change()), updated: '' }, id).toEqual({ ...first, updated: '' })
  }
})
