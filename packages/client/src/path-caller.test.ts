import createOpenapiFetch from 'openapi-fetch'
import { describe, expect, test } from 'vitest'
import type { v2024_05_30 } from '#api'
import { alertId, response as answer, baseUrl, groupId, path, rejection, setup } from '../test/setup.ts'
import { createStubFetch, unavailable, withFaults } from './testing/index.ts'

describe('a call by path', () => {
  test('goes through the same transport as a call by name', async () => {
    const respond = withFaults([unavailable()], () => answer({ id: 'a' }))
    const { client, clock, requests } = setup(respond)
    const { data, error } = await clock.settle(
      client.GET('/groups/{groupId}/alerts/{alertId}', { params: { path } }),
    )
    expect(data?.id).toBe('a')
    expect(error).toBeUndefined()
    expect(requests).toHaveLength(2)
    expect(requests[1]?.headers.get('accept')).toBe('application/vnd.svc.2023-01-01+json')
  })

  test('answers an error with its body and its response', async () => {
    const body = { error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found', detail: 'gone', more: 1 }
    const { client } = setup(() => Response.json(body, { status: 404 }))
    const { data, error, response } = await client.GET('/groups/{groupId}/alerts/{alertId}', {
      params: { path },
    })
    expect(data).toBeUndefined()
    expect(error).toEqual(body)
    expect(error?.errorCode).toBe('RESOURCE_NOT_FOUND')
    expect(response.status).toBe(404)
  })

  test('always answers an error as one, though the body is none of the API', async () => {
    const init = { params: { path } }
    for (const text of ['', '<html>', '"broken"', '{"message":"broken"}']) {
      const { client, clock } = setup(() => new Response(text, { status: 500, statusText: 'Broken' }))
      const { data, error } = await clock.settle(client.GET('/groups/{groupId}/alerts/{alertId}', init))
      expect(data).toBeUndefined()
      expect(error).toEqual({ error: 500, errorCode: '', reason: 'Broken', detail: text })
    }
  })

  test.each([401, 429, 502])('throws what kept it from a token: %i of its endpoint', async (status) => {
    const respond = () => Response.json({ error: 'no', error_description: 'no token' }, { status })
    const credentials = { clientId: 'id', clientSecret: 'not-a-real-secret' }
    const { client } = setup(respond, { credentials, retry: { maxRetries: 0 } })
    const work = client.GET('/groups/{groupId}/alerts/{alertId}', { params: { path } })
    expect(await rejection(work)).toMatchObject({ status, operationId: 'issueToken', detail: 'no token' })
  })

  test('takes the envelope off an error too', async () => {
    const content = { error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found', detail: 'gone' }
    const { client } = setup(() => Response.json({ status: 404, content }, { status: 404 }))
    const init = { params: { path, query: { envelope: true } } }
    const { error } = await client.GET('/groups/{groupId}/alerts/{alertId}', init)
    expect(error).toEqual(content)
  })

  test('sends the body under the media type of the operation', async () => {
    const { client, requests } = setup(() => answer({}, {}, '2024-05-30'))
    const { data } = await client.PATCH('/groups/{groupId}/alerts/{alertId}', {
      params: { path },
      body: { unacknowledgeAlert: true },
    })
    expect(data).toEqual({})
    expect(requests[0]?.headers.get('content-type')).toBe('application/vnd.svc.2024-05-30+json')
    expect(requests[0]?.body).toBe('{"unacknowledgeAlert":true}')
  })

  test('has the URL that openapi-fetch gives it, path, query and encoding', async () => {
    const ours = setup(() => answer({ results: [] }))
    const theirs = createStubFetch(() => answer({ results: [] }))
    const peer = createOpenapiFetch<v2024_05_30.Paths>({
      baseUrl: `${baseUrl}/api/svc/v2`,
      fetch: ({ url, method }) => theirs.fetch(url, { method }),
    })
    const init = {
      params: { path: { groupId }, query: { status: 'OPEN', pageNum: 2, includeCount: false } },
    } as const
    const odd = { params: { path: { groupId: 'a b/ü', alertId } } }
    await ours.client.GET('/groups/{groupId}/alerts', init)
    await ours.client.GET('/groups/{groupId}/alerts/{alertId}', odd)
    await peer.GET('/groups/{groupId}/alerts', init)
    await peer.GET('/groups/{groupId}/alerts/{alertId}', odd)
    expect(ours.requests.map(({ url }) => url.href)).toEqual(theirs.requests.map(({ url }) => url.href))
  })

  test('at another version asks for that one, and answers its shape', async () => {
    const { client, requests } = setup(() => answer({ id: 'a' }))
    const init = { params: { path }, headers: { 'x-team': 'orders' }, version: '2023-01-01' } as const
    expect((await client.GET('/groups/{groupId}/alerts/{alertId}', init)).data?.id).toBe('a')
    expect(
      (await client.at('2023-01-01').PATCH('/groups/{groupId}/alerts/{alertId}', { ...init, body: {} })).data
        ?.id,
    ).toBe('a')
    expect(requests.map(({ headers }) => [headers.get('accept'), headers.get('x-team')])).toEqual([
      ['application/vnd.svc.2023-01-01+json', 'orders'],
      ['application/vnd.svc.2023-01-01+json', 'orders'],
    ])
  })

  test('of no operation is refused', async () => {
    const { client } = setup(() => answer({}))
    const wrong = '/groups/{groupId}/alert' as '/groups/{groupId}/alerts'
    expect(await rejection(client.GET(wrong, { params: { path: { groupId } } }))).toBeInstanceOf(TypeError)
  })
})
