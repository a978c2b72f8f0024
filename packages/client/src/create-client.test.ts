import { operations as table, versions } from '@svc-admin/types'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Clients, Version, v1_0, v2023_01_01, v2024_05_30 } from '#api'
import { allOperations } from '#tables/all-operations'
import { listAlerts } from '#tables/operations'
import { alertId, baseUrl, groupId, path, response, setup } from '../test/setup.ts'
import { createClient, createPartialClient } from './create-client.ts'
import { findVersion } from './version.ts'

describe('a client', () => {
  test.each(versions.map(({ id }) => id))('for %s has exactly the operations of that version', (version) => {
    const client = createClient({ baseUrl, version })
    const here = allOperations.filter((row) => findVersion(row, version)).map(({ id }) => id)
    const extra = ['at', 'version', 'waitFor']
    expect(Object.keys(client).sort()).toEqual([...here, ...extra].sort())
    expect(here.length).toBeLessThanOrEqual(Object.keys(table).length)
  })

  test('waits for a state of a lifecycle', async () => {
    const statuses = ['TRACKING', 'OPEN', 'CLOSED']
    const { client, clock } = setup(() => response({ status: statuses.shift() }))
    const closed = client.waitFor('alert', () => client.getAlert(path), { until: 'CLOSED' })
    expect((await clock.settle(closed)).status).toBe('CLOSED')
  })

  test('waits for a state that no field holds', async () => {
    const unfinished = { cancelled: false, expired: false, failed: false }
    const finished = { ...unfinished, finishedAt: '2025-11-18T12:00:00Z' }
    const seen: unknown[] = []
    const wait = (...responses: object[]) => {
      const { client, clock } = setup(() => response(responses.shift()))
      const read = () => client.getRestoreJob({ groupId, clusterName: 'orders', restoreJobId: alertId })
      const onProgress = ({ state }: { state: string | undefined }) => void seen.push(state)
      return clock.settle(client.waitFor('restore-job', read, { until: 'finished', onProgress }))
    }
    expect(await wait(unfinished, unfinished, finished)).toEqual(finished)
    expect(seen.splice(0)).toEqual(['running', 'running', 'finished'])
    for (const end of ['cancelled', 'failed', 'expired']) {
      await expect(wait(unfinished, { ...finished, [end]: true })).rejects.toMatchObject({
        reason: 'unreachable',
        progress: { state: end },
      })
    }
  })

  test('rejects an unknown lifecycle before it sends a request', async () => {
    const { client, requests } = setup(() => response({ status: 'OPEN' }))
    for (const id of ['restore', 'toString', undefined]) {
      const given = [id, () => client.getAlert(path), { until: 'CLOSED' }]
      const work: Promise<unknown> = Reflect.apply(client.waitFor, undefined, given)
      const expected = new RegExp(`^unknown lifecycle ${id}: expected alert, .*snapshot$`)
      await expect(work).rejects.toThrow(expected)
      await expect(work).rejects.toBeInstanceOf(TypeError)
    }
    expect(requests).toHaveLength(0)
  })

  test('treats undefined options as absent', async () => {
    const unset = { maxRetries: undefined, baseDelayMs: undefined }
    const respond = () => new Response('', { status: 503 })
    const { client, clock, requests } = setup(respond, { retry: unset, middleware: undefined })
    const options = { retry: unset, signal: undefined, version: undefined, timeoutMs: undefined }
    const failed = client.listAlerts({ groupId, status: undefined }, options)
    await expect(clock.settle(failed)).rejects.toThrow('503')
    expect(requests.map(({ url }) => url.search)).toEqual(['', '', ''])
  })

  test.each([
    'cloud',
    '',
    '127.0.0.1:19640',
    'localhost:19640',
    'ftp://x',
    'http://',
    'http://x?x=1',
    'http://x/#frag',
    'https://x/api/svc/v2',
    'https://x/api/svc/v1.0/',
    'https://x/api/svc',
    'https://x/cloud/api/svc/',
    'https://x/api/svc/v2/groups',
    'https://x/api/oauth',
    'https://x/api/oauth/token',
  ])('rejects an invalid baseUrl: %j', (given) => {
    const expected = new TypeError(`baseUrl is ${given}: expected http(s)://host without /api/svc`)
    expect(() => createClient({ baseUrl: given, version: '2024-05-30' })).toThrow(expected)
  })

  test.each([
    'https://api',
    'https://api/svc',
    'https://x/apis',
    'https://x/api',
    'https://x/cloud/api/',
    'https://x/api/cloud',
    'https://x/api/svc-admin',
    'https://x/svc/api',
    'https://x/api/oauth2',
    'https://x/',
    new URL('https://x/cloud/'),
  ])('accepts a valid baseUrl: %s', async (given) => {
    const { client, requests } = setup(() => response([]), { baseUrl: given })
    await client.listMatcherFieldNames()
    const base = String(given).replace(/\/$/, '')
    expect(requests[0]?.url.href).toMatch(new RegExp(`^${base}/api/svc/v2/`))
  })

  test('rejects a missing baseUrl, and prints no password', () => {
    const without: object = { version: '2024-05-30' }
    expect(() => Reflect.apply(createClient, undefined, [without])).toThrow(/^baseUrl is undefined: expected/)
    for (const baseUrl of ['https://me:hush@x', 'https://me:hush\nhush@x']) {
      const create = () => createClient({ baseUrl, version: '2024-05-30' })
      expect(create).toThrow(TypeError)
      expect(create).not.toThrow(/hush/)
    }
  })

  test.each([
    ['a text'],
    [{}],
    [{ publicKey: 'a' }],
    [{ publicKey: 'a', privateKey: undefined }],
    [{ clientId: 'a', clientSecret: '' }],
    [{ accessToken: undefined }],
    [{ key: 'a', secret: 'b' }],
  ])('rejects unknown or empty credentials: %j', async (credentials) => {
    const expected =
      /^credentials: expected clientId and clientSecret, publicKey and privateKey or accessToken$/
    const create = (given: unknown) =>
      Reflect.apply(createClient, undefined, [{ baseUrl, version: '2024-05-30', credentials: given }])
    expect(() => create(credentials)).toThrow(TypeError)
    await expect(create(() => credentials).getAlert(path)).rejects.toThrow(expected)
  })

  test.each([0, -1, Number.NaN, '5000', null, true, {}])(
    'rejects a timeout of %j ms before it sends a request',
    async (ms) => {
      for (const name of ['timeoutMs', 'totalTimeoutMs']) {
        const expected = new TypeError(`${name} is the ${typeof ms} ${ms}: expected a number > 0`)
        const create = () =>
          Reflect.apply(createClient, undefined, [{ baseUrl, version: '2024-05-30', [name]: ms }])
        expect(create).toThrow(expected)
        const { client, requests } = setup(() => response({}))
        const options: object = { [name]: ms }
        await expect(client.getAlert(path, options)).rejects.toThrow(expected)
        expect(requests).toHaveLength(0)
      }
    },
  )

  test.each([
    ['retry', 'maxRetries'],
    ['retry', 'maxRetryAfterMs'],
    ['retryBudget', 'size'],
    ['retryBudget', 'ratio'],
  ] as const)('rejects an invalid number: %s.%s', (setting, name) => {
    for (const given of [Number.NaN, -1, -0.5, '1', null, 5n]) {
      const options = { baseUrl, version: '2024-05-30', [setting]: { [name]: given } }
      const create = () => Reflect.apply(createClient, undefined, [options])
      expect(create).toThrow(new TypeError(`${name} is the ${typeof given} ${given}: expected a number >= 0`))
    }
    createClient({
      baseUrl,
      version: '2024-05-30',
      retry: { maxRetries: 0 },
      retryBudget: { size: undefined, ratio: 0 },
    })
  })

  test('uses the current global fetch, which instrumentation may have replaced', async () => {
    const before = globalThis.fetch
    const client = createClient({ baseUrl, version: '2024-05-30' })
    globalThis.fetch = async () => response({ id: 'replaced' })
    expect((await client.getAlert(path)).id).toBe('replaced')
    globalThis.fetch = before
  })
})

test('a partial client has its operations only', async () => {
  const { settings, requests } = setup(() => response({ results: [{ id: 'a' }] }))
  const client = createPartialClient({ ...settings, version: '2024-05-30', operations: { listAlerts } })
  expect(await client.listAlerts.toArray({ groupId })).toEqual([{ id: 'a' }])
  expect(requests).toHaveLength(1)
  expect(Object.keys(client).sort()).toEqual(['at', 'listAlerts', 'version'])
})

/** This function checks types. It is compiled but never runs. */
export function types(
  at2023: Clients['2023-01-01'],
  at2024: Clients['2024-05-30'],
  first: Clients['v1.0'],
): void {
  expectTypeOf(at2024.getAlert(path)).resolves.toEqualTypeOf<v2024_05_30.Alert>()
  expectTypeOf(first.getAlert(path)).resolves.toEqualTypeOf<v1_0.Alert>()
  expectTypeOf(at2024.listAlerts.toArray({ groupId })).resolves.toEqualTypeOf<v2024_05_30.Alert[]>()
  expectTypeOf<Version>().toEqualTypeOf<(typeof versions)[number]['id']>()

  const body = { unacknowledgeAlert: true }
  void at2024.acknowledgeAlert({ ...path, body })
  // @ts-expect-error the field was added in 2024-05-30
  void at2023.acknowledgeAlert({ ...path, body: { unacknowledgeAlert: true } })
  // @ts-expect-error a call with an old version requires the old body
  void at2024.acknowledgeAlert({ ...path, body: { unacknowledgeAlert: true } }, { version: '2023-01-01' })
  expectTypeOf(
    at2024.acknowledgeAlert({ ...path, body: {} }, { version: '2023-01-01' }),
  ).resolves.toEqualTypeOf<v2023_01_01.Alert>()
  void at2023.acknowledgeAlert({ ...path, body }, { version: '2024-05-30' })
  void at2023.at('2024-05-30').acknowledgeAlert({ ...path, body })

  const cluster = { groupId, clusterName: 'orders-eu' }
  void at2024.listSearchIndexes(cluster)
  // @ts-expect-error the operation was added in 2024-05-30
  void at2023.listSearchIndexes(cluster)
  // @ts-expect-error the operation doesn't exist in the version that this call sets
  void at2024.listSearchIndexes(cluster, { version: '2023-01-01' })
  // @ts-expect-error the first generation doesn't have this operation
  void first.listSearchIndexes(cluster)

  void at2024.getAlert(path).then(({ status }) => {
    expectTypeOf(status).toEqualTypeOf<v2024_05_30.AlertStatus>()
  })
  void at2024
    .getAlert(path)
    .result()
    .then((outcome) => {
      if (outcome.status === 200) expectTypeOf(outcome.data).toEqualTypeOf<v2024_05_30.Alert>()
      if (outcome.status === 404) expectTypeOf(outcome.error.status).toEqualTypeOf<404>()
      // @ts-expect-error failures have no data
      if (outcome.status === 404) outcome.data.id
    })
  void at2024
    .getAlert(path)
    .withResponse()
    .then(({ response: { headers } }) => {
      expectTypeOf(headers.get).parameter(0).extract<'X-Request-Id'>().toEqualTypeOf<'X-Request-Id'>()
      expectTypeOf(headers).toExtend<Headers>()
      return headers.get('x-undocumented')
    })

  // @ts-expect-error a parameter is missing
  void at2024.getAlert({ groupId })
  // @ts-expect-error the operation has no parameter with this name
  void at2024.getAlert({ ...path, page: 1 })
  // @ts-expect-error this isn't a documented status
  void at2024.listAlerts({ groupId, status: 'GONE' })
  // @ts-expect-error this version doesn't exist
  void at2024.getAlert(path, { version: '1999-01-01' })
  // @ts-expect-error methods that read all pages don't accept this version either
  void at2024.listAlerts.toArray({ groupId }, { version: '1999-01-01' })
  // @ts-expect-error only paginated operations have items
  void at2024.getAlert.items(path)
  // @ts-expect-error the lifecycle doesn't have this state
  void at2024.waitFor('alert', () => at2024.getAlert(path), { until: 'GONE' })
  const readSnapshot = () => at2024.getSnapshot({ ...cluster, snapshotId: '' })
  expectTypeOf(
    at2024.waitFor('snapshot', readSnapshot, { until: 'completed' }),
  ).resolves.toEqualTypeOf<v2024_05_30.ReplicaSetSnapshot>()
  void at2024.waitFor('snapshot', async () => ({ status: String() }), { until: 'completed' })
  // @ts-expect-error an export job's state is in a different field
  void at2024.waitFor('export-job', readSnapshot, { until: 'Successful' })
  // @ts-expect-error the alert's field has the same name but the states of a different lifecycle
  void at2024.waitFor('snapshot', () => at2024.getAlert(path), { until: 'completed' })
}

/** Optional arguments can be `undefined`. */
export function optionalTypes(
  at2024: Clients['2024-05-30'],
  { signal, status, days }: { signal?: AbortSignal; status?: v2024_05_30.AlertStatus; days?: number },
): void {
  void at2024.listAlerts({ groupId, status }, { signal, retry: { maxRetries: undefined } })
  void at2024.listAlerts.toArray({ groupId, status }, { signal, limit: undefined, version: undefined })
  void at2024.updateCompliancePolicy({
    groupId,
    body: { authorizedEmail: 'a@b.example', restoreWindowDays: days },
  })
  createClient({
    baseUrl,
    version: '2024-05-30',
    fetch: undefined,
    clock: undefined,
    onDeprecation: undefined,
  })
  // @ts-expect-error required arguments may not be undefined
  void at2024.getAlert({ groupId, alertId: undefined })
}

/** The pagination methods accept the same options as a call. */
export function pagingTypes(at2024: Clients['2024-05-30']): void {
  expectTypeOf(at2024.listExportBuckets.toArray({ groupId })).resolves.toEqualTypeOf<
    v2024_05_30.ExportBucket[]
  >()
  expectTypeOf(
    at2024.listExportBuckets.toArray({ groupId }, { version: '2023-01-01', limit: 1 }),
  ).resolves.toEqualTypeOf<v2023_01_01.ExportBucket[]>()
  void at2024.listAlerts.items({ groupId }, { version: '2023-01-01' })
  void at2024.listAlerts.pages({ groupId }, { version: '2023-01-01' })
}

/** Checks unions with undocumented variants, and open schemas. */
export function openTypes(at2024: Clients['2024-05-30'], config: v2024_05_30.AlertConfig): void {
  for (const notification of config.notifications ?? []) {
    if (notification.typeName === 'EMAIL') {
      expectTypeOf(notification.emailAddress).toEqualTypeOf<string | undefined>()
    }
    switch (notification.typeName) {
      case 'SLACK':
        expectTypeOf(notification).toEqualTypeOf<v2024_05_30.SlackNotification>()
        break
      // @ts-expect-error this variant isn't documented; see `OtherKind`
      case 'SLAK':
        break
    }
    // @ts-expect-error some variants don't have this field
    notification.emailAddress
    if (String(notification.typeName) === 'NEW_KIND')
      expectTypeOf(notification.typeName).toExtend<string | undefined>()
  }
  const { eventTypeName, matchers, notifications } = config
  void at2024.updateAlertConfig({
    groupId,
    alertConfigId: '',
    body: { eventTypeName, matchers, notifications },
  })
  const more = [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'a', caseSensitive: true }]
  void at2024.createAlertConfig({ groupId, body: { eventTypeName, notifications: [], matchers: more } })
  // @ts-expect-error a property of a documented variant has its own type
  const wrong: v2024_05_30.NotificationInput = { typeName: 'EMAIL', emailAddress: 1 }
  void wrong
  // @ts-expect-error the request itself has no additional properties
  void at2024.createAlertConfig({ groupId, body: { eventTypeName, notifications: [], note: '' } })

  const index = { groupId, clusterName: 'orders-eu', indexId: '' }
  const field = { type: 'vector', path: 'a', numDimensions: 3, similarity: 'cosine', quantization: 'scalar' }
  void at2024.updateSearchIndex({ ...index, body: { definition: { fields: [field] } } })
  void at2024.getSearchIndex(index).then(({ latestDefinition: definition }) => {
    if (definition) void at2024.updateSearchIndex({ ...index, body: { definition } })
    // @ts-expect-error response types contain only documented properties
    return definition?.quantization
  })
  // @ts-expect-error the field was added in 2024-08-05
  void at2024.updateBackupSchedule({ groupId, clusterName: '', body: { copySettings: [{ zoneId: '' }] } })
}
