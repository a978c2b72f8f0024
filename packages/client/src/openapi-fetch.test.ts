import { QueryClient } from '@tanstack/react-query'
import createQueryHooks from 'openapi-react-query'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { alertId, baseUrl, groupId, response } from '../test/setup.ts'
import { createOpenapiClient, type OpenapiClientOptions } from './openapi-fetch.ts'
import { createStubFetch, createTestClock, type Responder, unavailable, withFaults } from './testing/index.ts'

const path = { groupId, alertId }

function setup(respond: Responder, options: Partial<OpenapiClientOptions<'2024-05-30'>> = {}) {
  const clock = createTestClock()
  const { fetch, requests } = createStubFetch(respond)
  const client = createOpenapiClient({ baseUrl, version: '2024-05-30', fetch, clock, ...options })
  return { client, requests, clock }
}

describe('an openapi-fetch client', () => {
  test('returns data, typed by the version, on the transport of the client', async () => {
    const { client, requests, clock } = setup(
      withFaults([unavailable()], () => response({ id: 'a', status: 'OPEN' })),
    )
    const { data, error } = await clock.settle(
      client.GET('/groups/{groupId}/alerts/{alertId}', { params: { path } }),
    )
    expect([data?.id, error, requests.length]).toEqual(['a', undefined, 2])
    expect(data?.status.toUpperCase()).toBe('OPEN')
  })

  test('returns errors of the API as error', async () => {
    const body = { error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found', detail: 'gone' }
    const { client } = setup(() => Response.json(body, { status: 404 }))
    const {
      data,
      error,
      response: reply,
    } = await client.GET('/groups/{groupId}/alerts/{alertId}', {
      params: { path },
    })
    expect([data, error, reply.status]).toEqual([undefined, body, 404])
  })

  test('sends bodies and queries with its serializers', async () => {
    const respond: Responder = ({ method }) =>
      method === 'PATCH' ? response({}, {}, '2024-05-30') : response({ results: [] })
    const { client, requests } = setup(respond, {
      querySerializer: (query) =>
        new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`])).toString(),
    })
    await client.GET('/groups/{groupId}/alerts', { params: { path: { groupId }, query: { status: 'OPEN' } } })
    await client.PATCH('/groups/{groupId}/alerts/{alertId}', {
      params: { path },
      body: { acknowledgedUntil: '2026-12-01T00:00:00Z' },
    })
    expect(requests[0]?.url.search).toBe('?status=OPEN')
    expect(requests[1]?.body).toBe('{"acknowledgedUntil":"2026-12-01T00:00:00Z"}')
  })

  test('runs middleware, and stops after eject', async () => {
    const { client, requests } = setup(() => response({ id: 'a' }))
    const middleware = {
      onRequest: ({ request }: { request: Request }) => {
        request.headers.set('x-team', 'orders')
        return request
      },
    }
    client.use(middleware)
    await client.GET('/groups/{groupId}/alerts/{alertId}', { params: { path } })
    client.eject(middleware)
    await client.GET('/groups/{groupId}/alerts/{alertId}', { params: { path } })
    expect(requests.map(({ headers }) => headers.get('x-team'))).toEqual(['orders', null])
  })

  test('reads text and streams with parseAs, and takes request() and a fetch per call', async () => {
    const { client, requests } = setup(() => response({ id: 'a' }))
    const init = { params: { path } }
    const url = '/groups/{groupId}/alerts/{alertId}'
    expect((await client.GET(url, { ...init, parseAs: 'text' })).data).toBe('{"id":"a"}')
    const { data: stream } = await client.GET(url, { ...init, parseAs: 'stream' })
    expect(await new Response(stream).text()).toBe('{"id":"a"}')
    expect((await client.request('get', url, init)).data?.id).toBe('a')
    const fetch = async () => Response.json({ id: 'b' })
    expect((await client.GET(url, { ...init, fetch })).data?.id).toBe('b')
    expect(requests).toHaveLength(3)
  })

  test('reaches the token endpoint below its own base URL', async () => {
    const { client, requests } = setup(() => Response.json({ access_token: 't', token_type: 'Bearer' }))
    // Only the paths below the prefix are typed, but a tool may still append the token path to its base URL.
    await Reflect.apply(client.POST, client, [
      '/api/oauth/token',
      { body: { grant_type: 'client_credentials' } },
    ])
    expect(requests[0]?.url.pathname).toBe('/api/oauth/token')
  })
})

describe('openapi-react-query', () => {
  test('reads through queryOptions with a real QueryClient', async () => {
    const { client, requests } = setup(() => response({ id: 'a' }))
    const hooks = createQueryHooks(client)
    const queries = new QueryClient()
    const options = hooks.queryOptions('get', '/groups/{groupId}/alerts/{alertId}', { params: { path } })
    const first = await queries.fetchQuery({ ...options, staleTime: 60_000 })
    const again = await queries.fetchQuery({ ...options, staleTime: 60_000 })
    expect([first.id, again.id, requests.length]).toEqual(['a', 'a', 1])
    expectTypeOf(first.eventTypeName).toEqualTypeOf<string>()
  })
})
