import { errorCodes, operations as table } from '@svc-admin/types'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Clients, v2023_01_01, v2025_03_12 } from '#api'
import { examples } from '#tables/examples'
import { alertId, baseUrl, groupId, path, rejection, setup } from '../../test/setup.ts'
import { createClient } from '../create-client.ts'
import { isErrorCode } from '../errors.ts'
import {
  createHandlers,
  createMswHandlers,
  createStubFetch,
  createTestClock,
  example,
  type HandledRequest,
  type Replies,
  type Reply,
  refused,
} from './index.ts'

describe('a stub replaces fetch', () => {
  const stub = createStubFetch(() => Response.json({}))
  const { fetch }: { fetch: typeof globalThis.fetch } = stub
  const url = `${baseUrl}/a?b=c`

  test.each<[string, ...Parameters<typeof globalThis.fetch>]>([
    ['a URL string', url],
    ['a URL', new URL(url)],
    ['a request', new Request(url)],
    ['a request with options', new Request(url, { method: 'PUT', body: 'x' }), { method: 'GET' }],
  ])('called with %s', async (_, input, init) => {
    await fetch(input, init)
    expect(stub.requests.at(-1)).toMatchObject({ method: 'GET', url: new URL(url) })
  })

  test.each<[string, ...Parameters<typeof globalThis.fetch>]>([
    ['a string', url, { method: 'POST', body: 'x=1', headers: { 'x-a': 'b' } }],
    ['a form', url, { method: 'POST', body: new URLSearchParams({ x: '1' }), headers: { 'x-a': 'b' } }],
    ['a request', new Request(url, { method: 'POST', body: 'x=1', headers: { 'x-a': 'b' } })],
  ])('and records %s', async (_, input, init) => {
    await fetch(input, init)
    const request = stub.requests.at(-1)
    expect(request).toMatchObject({ method: 'POST', body: 'x=1', number: stub.requests.length })
    expect(request?.headers.get('x-a')).toBe('b')
  })
})

describe('handlers', () => {
  test.each(Object.values(table))(
    '$id returns the example of the specification in every version',
    async (row) => {
      const { fetch } = createStubFetch(createHandlers())
      for (const [version, facts] of Object.entries(row.versions)) {
        const prefix = version === 'v1.0' ? '/api/svc/v1.0' : '/api/svc/v2'
        const target = row.path.replace(/\{\w+\}/g, 'x')
        const response = await fetch(`${baseUrl}${row.absolute ? '' : prefix}${target}`, {
          method: row.method,
          headers: { accept: facts.mediaType },
        })
        expect(response.status).toBe(facts.success)
        expect(response.headers.get('content-type')).toBe(facts.hasContent ? facts.mediaType : null)
        const { body } = examples[row.id]?.[version] ?? {}
        expect(await response.text()).toBe(body === undefined ? '' : JSON.stringify(body))
      }
    },
  )

  test('return your reply for an operation, typed by version', async () => {
    const seen: HandledRequest[] = []
    const respond = createHandlers<'2024-05-30'>({
      listMatcherFieldNames: ['CLUSTER_NAME'],
      getAlert: (request) => {
        seen.push(request)
        return Response.json({ error: 404, errorCode: 'RESOURCE_NOT_FOUND' }, { status: 404 })
      },
    })
    const { client } = setup(respond)
    expect(await client.listMatcherFieldNames()).toEqual(['CLUSTER_NAME'])
    expect(isErrorCode(await rejection(client.getAlert(path)), 'RESOURCE_NOT_FOUND')).toBe(true)
    expect(seen[0]).toMatchObject({
      operationId: 'getAlert',
      version: '2023-01-01',
      path: { groupId, alertId },
    })
  })

  test('return a given response repeatedly', async () => {
    const limited = Response.json({ error: 404, errorCode: 'RESOURCE_NOT_FOUND' }, { status: 404 })
    const { client } = setup(createHandlers<'2024-05-30'>({ getAlert: limited }))
    for (const time of [1, 2])
      expect(await rejection(client.getAlert(path)), `time ${time}`).toMatchObject({ status: 404 })
  })

  test.each(Object.values(table).filter(({ paged }) => paged))(
    '$id returns the requested pages',
    async ({ id, pathParameters }) => {
      const client = setup(createHandlers(), { onDeprecation() {} }).client.at('2025-03-12')
      const args = Object.fromEntries(pathParameters.map((name) => [name, 'x']))
      const list = Reflect.get(client, id) as typeof client.listAlerts
      const { results = [], totalCount } = await list({ groupId, ...args })
      const pages = []
      for await (const page of list.pages({ groupId, ...args, itemsPerPage: 1 })) pages.push(page)
      expect(pages.map((page) => page.results)).toEqual(results.map((each) => [each]))
      expect(pages.map((page) => page.totalCount)).toEqual(results.map(() => totalCount))
      const after = await list({ groupId, ...args, pageNum: results.length + 1, itemsPerPage: 1 })
      expect(after.results).toEqual([])
      expect(after.links?.map(({ rel }) => rel)).toEqual(['self', 'previous'])
    },
  )

  test('return a given list in pages, and the result of a function unchanged', async () => {
    const whole = await setup(createHandlers()).client.listAlerts({ groupId })
    const replies = { listAlerts: whole, listAlertsByAlertConfig: () => whole }
    const { client } = setup(createHandlers<'2024-05-30'>(replies))
    const args = { groupId, itemsPerPage: 1 }
    expect(await client.listAlerts.toArray(args)).toEqual(whole.results)
    expect((await client.listAlerts(args)).results).toEqual(whole.results?.slice(0, 1))
    expect(await client.listAlertsByAlertConfig({ ...args, alertConfigId: 'x' })).toEqual(whole)
  })

  test('add the links that a given list lacks', async () => {
    const respond = createHandlers<'2024-05-30'>({
      listAlerts: { results: [example('getAlert')], totalCount: 1 },
    })
    const { links, totalCount } = await setup(respond).client.listAlerts({ groupId })
    expect({ links, totalCount }).toEqual({
      links: [{ rel: 'self', href: `https://cloud.example.com/api/svc/v2/groups/${groupId}/alerts` }],
      totalCount: 1,
    })
  })

  test('return 404 and 406 for unknown paths and versions', async () => {
    const { fetch } = createStubFetch(createHandlers())
    const status = async (target: string, accept: string) =>
      (await fetch(`${baseUrl}/api/svc/v2${target}`, { headers: { accept } })).status
    expect(await status('/nothing', 'application/vnd.svc.2023-01-01+json')).toBe(404)
    expect(await status('/groups/a/alerts', 'application/vnd.svc.1999-01-01+json')).toBe(406)
  })

  test('work with Mock Service Worker without importing it', async () => {
    type Resolver = (info: { readonly request: Request }) => Promise<Response>
    const http = { all: (route: string, resolver: Resolver) => ({ route, resolver }) }
    const [handler] = createMswHandlers(
      http,
      `${baseUrl}/`,
      createHandlers<'2024-05-30'>({ listMatcherFieldNames: ['A'] }),
    )
    expect(handler?.route).toBe(`${baseUrl}/*`)
    const client = createClient({
      baseUrl,
      version: '2024-05-30',
      fetch: async (url, init) => handler?.resolver({ request: new Request(url, init) }) ?? Response.error(),
    })
    expect(await client.listMatcherFieldNames()).toEqual(['A'])
  })
})

describe('the test clock', () => {
  test('fires due timers in order', async () => {
    const clock = createTestClock(0)
    const fired: number[] = []
    for (const ms of [30, 10, 20]) clock.after(ms, () => fired.push(clock.now()))
    const cancel = clock.after(15, () => fired.push(-1))
    cancel()
    await clock.advance(20)
    expect(fired).toEqual([10, 20])
    expect([clock.now(), clock.pending]).toEqual([20, 1])
  })
})

/** This function checks types. It is compiled but never runs. */
export function types(old: Clients['2023-01-01'], newest: Clients['2025-03-12']): void {
  type NewestReply = Replies<'2025-03-12'>['getBackupSchedule']
  type OldReply = Replies<'2023-01-01'>['getBackupSchedule']
  expectTypeOf<NewestReply>().toEqualTypeOf<Reply<v2025_03_12.BackupSchedule> | undefined>()
  expectTypeOf<OldReply>().toEqualTypeOf<Reply<v2023_01_01.BackupSchedule> | undefined>()

  type Answer<Method extends (...args: never) => unknown> = Awaited<ReturnType<Method>>
  expectTypeOf<Answer<typeof old.getBackupSchedule>>().toEqualTypeOf<v2023_01_01.BackupSchedule>()
  expectTypeOf<Answer<typeof newest.getBackupSchedule>>().toEqualTypeOf<v2025_03_12.BackupSchedule>()
  expectTypeOf<Answer<typeof newest.listExportBuckets>>().toEqualTypeOf<v2025_03_12.PaginatedExportBuckets>()
  type Arguments = Parameters<typeof newest.updateBackupSchedule>[0]
  expectTypeOf<Arguments>().toEqualTypeOf<v2025_03_12.UpdateBackupScheduleArgs>()
}

describe('refused', () => {
  test.each(Object.keys(errorCodes) as (keyof typeof errorCodes)[])('returns the error %s', async (code) => {
    const { fetch } = createStubFetch(refused(code))
    const client = createClient({ baseUrl, version: '2025-03-12', fetch, retry: { maxRetries: 0 } })
    const error = await rejection(client.getAlert(path))
    const { status, detail } = errorCodes[code]
    expect(isErrorCode(error, code) && [error.status, error.detail]).toEqual([status, detail])
    expect(error).toMatchObject({ reason: expect.stringMatching(/^[A-Z]/) })
  })

  test('accepts other fields and headers, and no unknown code', async () => {
    const { fetch } = createStubFetch(refused('RATE_LIMITED', { detail: 'mine' }, { 'retry-after': '7' }))
    const client = createClient({ baseUrl, version: '2025-03-12', fetch, retry: { maxRetries: 0 } })
    expect(await rejection(client.getAlert(path))).toMatchObject({ detail: 'mine', retryAfterMs: 7_000 })
    // @ts-expect-error a mistyped code
    expect(() => refused('RATE_LIMTED')).toThrow('unknown error code RATE_LIMTED: expected VALIDATION_ERROR,')
  })
})

describe('example', () => {
  test('returns the example of the newest version with changes, as a new object each time', () => {
    const alert = example('getAlert', { status: 'CLOSED' })
    expectTypeOf(alert).toEqualTypeOf<v2025_03_12.Alert>()
    expect(alert).toEqual({ ...Object(examples.getAlert?.['2023-01-01']?.body), status: 'CLOSED' })
    Object.assign(alert, { id: 'changed' })
    expect(example('getAlert').id).not.toBe('changed')
  })

  test('returns the example of another version, and lists', () => {
    const schedule = example('getBackupSchedule', {}, '2023-01-01')
    expectTypeOf(schedule).toEqualTypeOf<v2023_01_01.BackupSchedule>()
    expect(schedule).toEqual(examples.getBackupSchedule?.['2023-01-01']?.body)
    expect(example('listMatcherFieldNames')).toContain('CLUSTER_NAME')
  })

  test('rejects mistyped fields and operations', () => {
    // @ts-expect-error alerts don't have this field
    example('getAlert', { state: 'CLOSED' })
    // @ts-expect-error this operation doesn't exist
    expect(() => example('getAlrt')).toThrow('unknown operation getAlrt')
    // @ts-expect-error the operation was added in a later version
    expect(() => example('listSearchIndexes', {}, '2023-01-01')).toThrow(
      'listSearchIndexes does not exist in version 2023-01-01',
    )
  })
})
