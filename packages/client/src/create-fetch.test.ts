import { describe, expect, test } from 'vitest'
import { createDigestServer, key } from '../test/digest-server.ts'
import { alertId, baseUrl, groupId, rejection, response } from '../test/setup.ts'
import { createFetch, type FetchOptions } from './create-fetch.ts'
import {
  createStubFetch,
  createTestClock,
  htmlPage,
  type Responder,
  truncatedJson,
  unavailable,
  withFaults,
} from './testing/index.ts'

const alerts = `${baseUrl}/api/svc/v2/groups/${groupId}/alerts`

function setup(respond: Responder, options: Partial<FetchOptions> = {}) {
  const clock = createTestClock()
  const { fetch: stub, requests } = createStubFetch(respond)
  const fetch = createFetch({
    baseUrl,
    version: '2024-05-30',
    fetch: stub,
    clock,
    random: () => 0.5,
    ...options,
  })
  return { fetch, requests, clock }
}

describe('createFetch', () => {
  test('adds the media type of the operation, and keeps the query and other headers', async () => {
    const { fetch, requests } = setup(() => response({ results: [] }))
    const reply = await fetch(`${alerts}?status=OPEN&itemsPerPage=5`, { headers: { 'x-team': 'orders' } })
    expect(await reply.json()).toEqual({ results: [] })
    expect(reply.url).toBe(`${alerts}?status=OPEN&itemsPerPage=5`)
    expect(requests[0]?.url.search).toBe('?status=OPEN&itemsPerPage=5')
    expect(requests[0]?.headers.get('accept')).toBe('application/vnd.svc.2023-01-01+json')
    expect(requests[0]?.headers.get('x-team')).toBe('orders')
  })

  test('replaces the JSON media type of a body by the dated one', async () => {
    const { fetch, requests } = setup(() => response({ id: alertId }, {}, '2024-05-30'))
    const body = JSON.stringify({ acknowledgedUntil: '2026-12-01T00:00:00Z' })
    for (const headers of [{}, { 'content-type': 'application/json' }])
      await fetch(`${alerts}/${alertId}`, { method: 'PATCH', body, headers })
    for (const request of requests) {
      expect(request.headers.get('content-type')).toBe('application/vnd.svc.2024-05-30+json')
      expect(request.body).toBe(body)
    }
  })

  test('resolves the date of an Accept header of the caller', async () => {
    const { fetch, requests } = setup(() => response({}, {}, '2023-01-01'), { version: '2025-03-12' })
    const url = `${baseUrl}/api/svc/v2/groups/${groupId}/clusters/c/backup/schedule`
    const reply = await fetch(url, { headers: { accept: 'application/vnd.svc.2023-01-01+json' } })
    expect(reply.status).toBe(200)
    expect(requests[0]?.headers.get('accept')).toBe('application/vnd.svc.2023-01-01+json')
  })

  test('retries, and returns an error of the API as a response', async () => {
    const body = { error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found', detail: 'gone' }
    const { fetch, requests, clock } = setup(
      withFaults([unavailable()], () => Response.json(body, { status: 404 })),
    )
    const reply = await clock.settle(fetch(alerts))
    expect([reply.status, await reply.json(), requests.length]).toEqual([404, body, 2])
  })

  test('signs in with Digest', async () => {
    const server = createDigestServer(() => response({ results: [] }))
    const { fetch, requests } = setup(server.respond, { credentials: key })
    for (const expected of [2, 3]) {
      expect((await fetch(new Request(`${alerts}?status=OPEN`))).status).toBe(200)
      expect(requests).toHaveLength(expected)
    }
  })

  test('returns a response without a body as one', async () => {
    const { fetch } = setup(() => new Response(null, { status: 204 }))
    const configs = `${baseUrl}/api/svc/v2/groups/${groupId}/alertConfigs/${alertId}`
    const reply = await fetch(configs, { method: 'DELETE' })
    expect([reply.status, reply.body]).toEqual([204, null])
  })

  test('throws for a URL that is not an operation, before it sends anything', async () => {
    const { fetch, requests } = setup(() => response({}))
    for (const url of [`${baseUrl}/api/svc/v2/groups/${groupId}/alertz`, 'https://other.example.com/'])
      expect(await rejection(fetch(url))).toBeInstanceOf(TypeError)
    expect(requests).toHaveLength(0)
  })

  test.each([
    ['/alrts', '. Did you mean GET /groups/{groupId}/alerts?'],
    ['/alerts/67a1b2c30f3a5d6e7f80a001/x', ''],
    [
      '/clusters/orders/backup/shedule',
      '. Did you mean GET /groups/{groupId}/clusters/{clusterName}/backup/schedule?',
    ],
  ])('suggests the nearest operation for a mistyped path: %s', async (path, suggestion) => {
    const url = `${baseUrl}/api/svc/v2/groups/${groupId}${path}`
    const { message } = await rejection(setup(() => response({})).fetch(url))
    expect(message).toBe(`GET ${url} is not an operation in this version${suggestion}`)
  })

  test.each([
    ['a page of HTML', htmlPage(), 'not JSON: <!doctype html>'],
    ['another version', () => response({ results: [] }, {}, '2024-05-30'), 'expected version 2023-01-01'],
    ['an object instead of a list', () => response({}), 'expected results to be an array, but was undefined'],
    ['truncated JSON', truncatedJson(), 'broken JSON'],
    ['no body', () => new Response(null, { status: 204 }), 'no body, expected JSON'],
  ])('throws a ParseError for a success with %s', async (_, respond, problem) => {
    const error = await rejection(setup(respond).fetch(alerts))
    expect(error).toMatchObject({ name: 'ParseError', message: expect.stringContaining(problem) })
  })

  test('returns a status that a response of a program cannot have', async () => {
    const odd = Object.defineProperty(new Response('{}', { status: 500 }), 'status', { value: 999 })
    const { fetch } = setup(() => odd, { retry: { maxRetries: 0 } })
    const reply = await fetch(alerts)
    expect([reply.status, reply.ok, await reply.text()]).toEqual([999, false, '{}'])
  })

  test('stops when the signal of the caller is aborted', async () => {
    const { fetch } = setup(() => new Promise<Response>(() => {}))
    const abort = new AbortController()
    const reply = fetch(alerts, { signal: abort.signal })
    abort.abort(new Error('enough'))
    expect(await rejection(reply)).toEqual(new Error('enough'))
  })
})
