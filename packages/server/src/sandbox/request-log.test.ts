import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { rawRequest } from '../../test/raw-request.ts'

const configs = `/groups/${projectId}/alertConfigs`
const create = { method: 'POST', json: { eventTypeName: 'HOST_DOWN', notifications: [] } }

describe('the request log', () => {
  it('records the request, its caller and the response', async () => {
    const server = await startChecked()
    await server.ask(`${configs}?pretty=true`)
    await server.ask(`${configs}/${'a'.repeat(24)}`, { as: 'norolekk' })
    expect((await server.control('GET', '/requests?limit=2')).at('requests')).toMatchObject([
      { operationId: 'getAlertConfig', status: 404, errorCode: 'RESOURCE_NOT_FOUND', principal: 'norolekk' },
      {
        method: 'GET',
        path: `/api/svc/v2${configs}`,
        operationId: 'listAlertConfigs',
        version: '2023-01-01',
        status: 200,
        principal: 'orgowner',
        unread: [],
        at: '2026-03-01T12:00:00.000Z',
      },
    ])
    await server.control('DELETE', '/requests')
    expect((await server.control('GET', '/requests')).at('requests')).toEqual([])
    expect((await server.control('GET', '/requests?limit=x')).status).toBe(400)
  })

  it('records unmatched requests with the time of their world, and nothing outside the API', async () => {
    const server = await startChecked()
    await server.control('PUT', '/clock', { now: '2030-01-01T00:00:00Z', rate: 0 })
    await server.ask('/nothing?a=b')
    await server.ask(configs, { method: 'DELETE' })
    await fetch(`${server.url}/healthz`)
    const at = '2030-01-01T00:00:00.000Z'
    const { text, body } = await server.control('GET', '/requests')
    expect(body).toMatchObject({
      requests: [
        { method: 'DELETE', status: 405, errorCode: 'METHOD_NOT_ALLOWED', at },
        {
          method: 'GET',
          path: '/api/svc/v2/nothing',
          status: 404,
          errorCode: 'RESOURCE_NOT_FOUND',
          unread: [],
        },
      ],
    })
    expect(text).not.toMatch(/operationId|version|healthz/)
    await server.control('POST', '/worlds', { id: 'w' })
    await server.ask('/nothing', { at: '/worlds/w' })
    expect((await server.control('GET', '/worlds/w/requests')).at('requests', 0, 'status')).toBe(404)
  })

  it('counts the full body of an operation that stores it', async () => {
    const server = await startChecked()
    await server.ask(configs, create)
    expect((await server.control('GET', '/requests')).at('requests', 0, 'unread')).toEqual([])
  })

  it('never contains a secret', async () => {
    const server = await startChecked()
    await server.ask(configs, {
      method: 'POST',
      json: { eventTypeName: 'A', notifications: [{ typeName: 'WEBHOOK', webhookSecret: 'tell-nobody' }] },
    })
    await rawRequest(server.url, `GET /api/svc/v2${configs}?token=tell-nobody HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect((await server.control('GET', '/requests')).text).not.toContain('tell-nobody')
  })
})
