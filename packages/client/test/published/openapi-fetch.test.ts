import { createPathBasedClient, type Middleware, wrapAsPathBasedClient } from 'openapi-fetch'
import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { createFetch, createOpenapiClient } from '../../src/openapi-fetch.ts'
import { createHandlers, createStubFetch } from '../../src/testing/index.ts'
import { alertId, baseUrl, groupId, type paths, subjects } from './setup.ts'

// The examples from openapi-fetch's documentation (openapi-ts.dev/openapi-fetch), adapted to this API's paths.

const alert = '/groups/{groupId}/alerts/{alertId}'
const alerts = '/groups/{groupId}/alerts'
const path = { groupId, alertId }
const acknowledgedUntil = '2026-12-01T00:00:00Z'

describe.each(subjects)('the examples of openapi-fetch run with %s', (_, create) => {
  test('introduction and basic usage', async () => {
    const { client, requests } = create()
    const { data, error } = await client.GET('/groups/{groupId}/alerts/{alertId}', {
      params: {
        path: { groupId, alertId },
        query: { pretty: true },
      },
    })
    expect(error).toBeUndefined()
    expect(data?.id).toMatch(/^[0-9a-f]{24}$/)
    const { response } = await client.PATCH(alert, { params: { path }, body: { acknowledgedUntil } })
    expect(response.status).toBe(200)
    expect(await requests[1]?.body).toBe(JSON.stringify({ acknowledgedUntil }))
    expect(requests[0]?.url.search).toBe('?pretty=true')
    if (data) expectTypeOf(data.status.toUpperCase()).toEqualTypeOf<string>()
    if (error) expectTypeOf(error.errorCode).toEqualTypeOf<string>()
  })

  test('parseAs, and fetch options of a call', async () => {
    const { client, requests } = create()
    const controller = new AbortController()
    const text = await client.GET(alert, {
      params: { path },
      parseAs: 'text',
      headers: { 'x-team': 'orders' },
      signal: controller.signal,
      cache: 'no-store',
    })
    expectTypeOf(text.data).toEqualTypeOf<string | undefined>()
    expect(JSON.parse(text.data ?? '')).toHaveProperty('id')
    expect(requests[0]?.headers.get('x-team')).toBe('orders')
    const { data: blob } = await client.GET(alert, { params: { path }, parseAs: 'blob' })
    expect(blob?.size).toBeGreaterThan(0)
    const { data: buffer } = await client.GET(alert, { params: { path }, parseAs: 'arrayBuffer' })
    expect(buffer?.byteLength).toBe(blob?.size)
    controller.abort(new Error('enough'))
    const aborted = client.GET(alert, { params: { path }, signal: controller.signal })
    await expect(aborted).rejects.toThrow('enough')
  })

  test('serializers of queries, paths and bodies', async () => {
    const { client, requests } = create()
    const params = { path: { groupId }, query: { status: 'OPEN' } } as const
    await client.GET(alerts, {
      params,
      querySerializer(queryParams) {
        const search = []
        for (const name in queryParams) search.push(`${name}=${encodeURIComponent(`${queryParams.status}`)}`)
        return search.join('&')
      },
    })
    await client.GET(alerts, {
      params,
      querySerializer: {
        array: { style: 'pipeDelimited', explode: true },
        object: { style: 'form', explode: true },
      },
    })
    await client.GET(alerts, {
      params,
      pathSerializer(pathname, pathParams) {
        let result = pathname
        for (const [key, value] of Object.entries(pathParams)) result = result.replace(`{${key}}`, `${value}`)
        return result
      },
    })
    expect(requests.map(({ url }) => url.search)).toEqual(['?status=OPEN', '?status=OPEN', '?status=OPEN'])
    await client.PATCH(alert, {
      params: { path },
      body: { acknowledgedUntil },
      bodySerializer: (body) => JSON.stringify({ ...body, acknowledgementComment: 'on it' }),
    })
    expect(requests[3]?.body).toContain('on it')
  })

  test('middleware: requests, responses and errors', async () => {
    const { client, requests } = create()
    const myMiddleware: Middleware = {
      async onRequest({ request, options }) {
        expect(options.baseUrl).toContain('/api/svc/v2')
        request.headers.set('foo', 'bar')
        return request
      },
      async onResponse({ response }) {
        const { body, ...resOptions } = response
        return new Response(body, { ...resOptions, status: 203 })
      },
      async onError({ error }) {
        return new Error('Oops, fetch failed', { cause: error })
      },
    }
    client.use(myMiddleware)
    const { response } = await client.GET(alert, { params: { path } })
    expect([response.status, requests[0]?.headers.get('foo')]).toEqual([203, 'bar'])
    const failed = client.GET(alert, { params: { path }, signal: AbortSignal.abort() })
    await expect(failed).rejects.toThrow('Oops, fetch failed')
    client.eject(myMiddleware)
    expect((await client.GET(alert, { params: { path } })).response.status).toBe(200)
  })

  test('middleware: an early response, and a failed one that throws', async () => {
    const { client, requests } = create()
    const cache = new Map<string, Response>()
    const getCacheKey = (request: Request) => `${request.method}:${request.url}`
    const cacheMiddleware: Middleware = {
      onRequest({ request }) {
        return cache.get(getCacheKey(request))?.clone()
      },
      onResponse({ request, response }) {
        if (response.ok) cache.set(getCacheKey(request), response.clone())
        return undefined
      },
    }
    client.use(cacheMiddleware)
    const first = await client.GET(alert, { params: { path } })
    const second = await client.GET(alert, { params: { path } })
    expect(second.data).toEqual(first.data)
    expect(requests).toHaveLength(1)
    client.use({
      onResponse({ response }) {
        if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`)
      },
    })
    const fetch = async () => new Response('{}', { status: 404, statusText: 'Not Found' })
    await expect(client.GET(alerts, { params: { path }, fetch })).rejects.toThrow('404 Not Found')
  })

  test('middleware: authorization for some paths', async () => {
    const { client, requests } = create()
    const unprotected = ['/alertConfigs/matchers/']
    client.use({
      onRequest({ schemaPath, request }) {
        if (unprotected.some((pathname) => schemaPath.startsWith(pathname))) return undefined
        request.headers.set('Authorization', 'Bearer token')
        return request
      },
    })
    await client.GET('/alertConfigs/matchers/fieldNames')
    await client.GET(alert, { params: { path } })
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([null, 'Bearer token'])
  })

  test('the path-based client', async () => {
    const pathBasedClient = wrapAsPathBasedClient(create().client)
    const { data } = await pathBasedClient[alert].GET({ params: { path } })
    expectTypeOf(data?.eventTypeName).toEqualTypeOf<string | undefined>()
    expect(data).toHaveProperty('eventTypeName')
  })
})

test('createPathBasedClient takes createFetch', async () => {
  const { fetch } = createStubFetch(createHandlers<'2025-03-12'>())
  const client = createPathBasedClient<paths>({
    baseUrl: `${baseUrl}/api/svc/v2`,
    fetch: createFetch({ baseUrl, version: '2025-03-12', fetch }),
  })
  expect((await client[alerts].GET({ params: { path } })).data).toHaveProperty('results')
})

test('a mocked fetch gets the request', async () => {
  const mockFetch = vi.fn(async (..._: Parameters<typeof fetch>) => Response.json({}))
  const client = createOpenapiClient({ baseUrl, version: '2025-03-12', fetch: mockFetch })
  await client.PATCH(alert, { params: { path }, body: { acknowledgedUntil } })
  const [url, init] = mockFetch.mock.calls[0] ?? []
  expect(url).toBe(`${baseUrl}/api/svc/v2/groups/${groupId}/alerts/${alertId}`)
  expect(init?.body).toBe(JSON.stringify({ acknowledgedUntil }))
})
