import type { RequestListener } from 'node:http'
import { versions } from '@svc-admin/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../src/http/route-table.ts'
import { controlActions } from '../../src/sandbox/control.ts'
import { type CheckedServer, newest, projectId, startChecked } from '../checked-server.ts'
import { askOf, cells, pathOf, pathPattern, pathValuesOf } from '../documented.ts'
import { rawRequest } from '../raw-request.ts'
import { startReceiver } from '../receiver.ts'
import { contentHash, startIdle } from '../stored-rows.ts'
import { readResponse } from '../test-response.ts'

/**
 * Tests request floods, access to other machines, and old versions (OWASP API Security Top 10, 2023, API6 to API10).
 */

let server: CheckedServer
let untouched = ''
beforeAll(async () => {
  server = await startIdle()
  untouched = await contentHash(server)
})
afterAll(() => server.stop())

const group = `/groups/${projectId}`
const configs = `${group}/alertConfigs`

/** Counts the responses with each status code. */
async function statusesOf(
  responses: readonly Promise<{ status: number }>[],
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const { status } of await Promise.all(responses)) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

const times = <T>(count: number, ask: () => T): T[] => Array.from({ length: count }, ask)

/** For tests with several processes, see `postgres/processes.test.ts`. */
describe('API6 unrestricted access to sensitive business flows', () => {
  it('gives a name to one of fifty concurrent requests', async () => {
    const fresh = await startChecked()
    const definition = { mappings: { dynamic: true } }
    const json = { database: 'sales', collectionName: 'orders', name: 'wanted', definition }
    const path = `${group}/clusters/orders-eu/search/indexes`
    const create = () => fresh.ask(path, { method: 'POST', json })
    expect(await statusesOf(times(50, create))).toEqual({ 201: 1, 409: 49 })
  })

  it('cuts over a migration once, however many concurrent requests there are', async () => {
    const fresh = await startChecked()
    const cell = cells.find(({ name }) => name === 'createMigration of 2023-01-01')
    if (!cell) throw new Error('createMigration is gone')
    const path = `${group}/liveMigrations/${(await askOf(fresh, cell)).textAt('_id')}`
    await fresh.control('PUT', '/clock', { advanceSeconds: 200_000 })
    const cutOver = () => fresh.ask(`${path}/cutover`, { method: 'PUT' })
    const counted = await statusesOf(times(20, cutOver))
    expect(counted).toEqual({ 202: 1, 409: 19 })
  })

  it('takes one on-demand snapshot of a cluster at a time', async () => {
    const fresh = await startChecked()
    const json = { description: 'now', retentionInDays: 1 }
    const take = () => fresh.ask(`${group}/clusters/orders-eu/backup/snapshots`, { method: 'POST', json })
    expect(await statusesOf(times(20, take))).toEqual({ 200: 1, 409: 19 })
  })

  it('deletes a resource once', async () => {
    const fresh = await startChecked()
    const remove = () => fresh.ask(`${configs}/66c4d5e60f3a5d6e7f809a01`, { method: 'DELETE' })
    expect(await statusesOf(times(20, remove))).toEqual({ 204: 1, 404: 19 })
  })
})

interface Outbox {
  readonly notifications: readonly { readonly delivery?: { readonly nextAttempt?: string } }[]
}

/** Starts a server that has one alert configuration with a webhook. The server only sends webhooks on demand. */
async function alarmed(webhookUrl: string, options: Parameters<typeof startChecked>[0] = {}) {
  const own = await startChecked({ webhooks: false, ...options })
  const notifications = [{ typeName: 'WEBHOOK', webhookUrl, webhookSecret: 'planted-secret' }]
  const json = { eventTypeName: 'DISK_FULL', enabled: true, notifications }
  expect((await own.ask(configs, { method: 'POST', json })).status).toBe(200)
  await own.control('POST', '/events', { groupId: projectId, eventTypeName: 'DISK_FULL' })
  await own.control('POST', '/outbox/deliver')
  const { text } = await own.control('GET', '/outbox')
  const outbox: Outbox = JSON.parse(text)
  const delivered = outbox.notifications.findLast(({ delivery }) => delivery !== undefined)
  return { own, text, delivery: delivered?.delivery }
}

/** For more tests, see `send.test.ts`, `address.test.ts` and `deliver.test.ts`. */
describe('API7 server side request forgery', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://user:pass@203.0.113.1/',
  ])('a webhook to %s is neither sent nor retried', async (address) => {
    const { port, received } = await startReceiver()
    const { delivery, own } = await alarmed(address.replace('PORT', String(port)))
    expect(delivery).toMatchObject({ outcome: 'failed', attempts: 1 })
    await own.control('PUT', '/clock', { advanceSeconds: 86_400 })
    expect((await own.control('POST', '/outbox/deliver')).at('attempts')).toBe(0)
    expect(received).toEqual([])
  })

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1:1/_POST'])(
    'a webhook to %s is rejected when it is configured',
    async (webhookUrl) => {
      const own = await startChecked()
      const json = { eventTypeName: 'DISK_FULL', notifications: [{ typeName: 'WEBHOOK', webhookUrl }] }
      const { body } = await own.ask(configs, { method: 'POST', json })
      expect(body).toMatchObject({ error: 400, parameters: ['/notifications/0/webhookUrl'] })
    },
  )

  it('a redirect by a receiver is not followed to an internal address', async () => {
    const inside = await startReceiver()
    const { url } = await startReceiver((_, response) =>
      response.writeHead(302, { location: inside.url }).end(),
    )
    const { delivery } = await alarmed(url, { webhookLoopback: true })
    expect(delivery).toMatchObject({ outcome: 'pending', lastAttempt: { status: 302 } })
    expect(inside.received).toEqual([])
  })
})

describe('API8 security misconfiguration', () => {
  const preflight = {
    origin: 'https://evil.example',
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'authorization',
  }

  it.each(['GET', 'OPTIONS', 'POST'])(
    'rejects requests from pages of other sites with %s',
    async (method) => {
      const responses = [
        await server.ask(configs, {
          method,
          headers: preflight,
          json: {},
          ...(method === 'POST' ? {} : { json: undefined }),
        }),
        await server.ask(configs, { method, as: null, headers: preflight }),
      ]
      for (const { headers } of responses) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    },
  )

  it('returns no details about its implementation', async () => {
    const refused = await server.ask(`${configs}/nonsense`)
    for (const { headers } of [refused, await server.ask(configs), await server.ask('/nothing')]) {
      expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
    }
    expect(refused.text).not.toMatch(/node_modules|\.ts\b|fastify|ajv/i)
  })

  it.each(Object.keys(controlActions))(
    'rejects %s for a host name that resolves to this machine',
    async (action) => {
      const [method = '', path = ''] = action.split(' ')
      for (const lines of ['Host: evil.example', 'Host: 127.0.0.1\r\nOrigin: https://evil.example']) {
        const bytes = `${method} ${path} HTTP/1.1\r\n${lines}\r\nContent-Length: 2\r\n\r\n{}`
        expect((await rawRequest(server.controlUrl ?? '', bytes)).status).toBe(404)
      }
    },
  )

  it('changes nothing', async () => {
    expect(await contentHash(server)).toBe(untouched)
  })
})

/** For more tests, see `registry.test.ts`, `negotiation.test.ts` and `negotiate.test.ts`. */
describe('API9 improper inventory management', () => {
  it.each([
    '/api/svc/v3/groups',
    '/api/svc/v1/groups',
    '/api/svc/v1.5/groups',
    '/api/atlas/v2/groups',
    '/api/svc/internal/groups',
    '/api/svc/v2/openapi.json',
    '/api/svc/v2/debug',
    '/metrics',
    '/debug/pprof/',
    '/.env',
    '/.git/config',
    '/actuator/env',
    '/server-status',
    '/graphql',
    '/swagger.json',
    '/admin',
    '/state',
  ])('returns 404 at %s', async (path) => {
    for (const authorization of ['', 'Bearer x']) {
      const { status, at } = await readResponse(
        await fetch(server.url + path, { headers: authorization ? { authorization } : {} }),
      )
      expect([status, at('errorCode')]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    }
  })

  const paths = [...new Set(routesOf().map(({ path }) => path))]

  it.each(paths)('supports only the documented methods at %s', async (path) => {
    const here = routesOf().filter((route) => route.path === path)
    const offered = new Set<string>(here.map(({ row }) => row.method))
    if (offered.has('GET')) offered.add('HEAD')
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'clusterName' ? 'c' : 'f'.repeat(24),
    )
    for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE']) {
      const { status } = await fetch(server.url + filled, { method })
      expect([method, status === 405]).toEqual([method, !offered.has(method)])
    }
  })

  it.each(cells.map((cell) => [cell.name, cell] as const))(
    '%s does not exist in a generation that does not document it',
    async (_, cell) => {
      const [values = {}] = pathValuesOf(cell)
      const others = new Set(
        versions.map(({ prefix }) => prefix).filter((prefix) => prefix !== cell.route.prefix),
      )
      for (const prefix of others) {
        const place = prefix + pathOf(cell, values)
        const { method } = cell.route.row
        // Skip this path, because a different path in the same generation also matches and takes precedence.
        if (routesOf().some(({ path, row }) => row.method === method && pathPattern(path).test(place)))
          continue
        const answer = await fetch(server.url + place, { method })
        expect([404, 405]).toContain(answer.status)
      }
    },
  )

  it.each(['2022-12-31', '2023-01-02', '2025-03-13', '2099-01-01', '2023-1-1', 'preview', 'latest'])(
    'rejects the version of %s',
    async (date) => {
      const answer = await server.ask(configs, { accept: `application/vnd.svc.${date}+json` })
      // If a date is later than a version's date, it selects that version.
      if (answer.status === 200)
        expect(answer.headers.get('content-type')).toMatch(/vnd\.svc\.20\d\d-\d\d-\d\d/)
      else expect([400, 406]).toContain(answer.status)
      expect(answer.headers.get('content-type')).not.toContain(date)
    },
  )
})

/** For more tests, see `send.test.ts`. */
describe('API10 unsafe consumption of APIs', () => {
  const noResponse = 'The receiver timed out'
  const rude: readonly [string, RequestListener, object][] = [
    [
      'says too much',
      (_, response) => response.writeHead(500).end('planted-answer'.repeat(100_000)),
      { status: 500 },
    ],
    [
      'asks for thirty years',
      (_, response) => response.writeHead(429, { 'retry-after': '999999999' }).end(),
      { status: 429 },
    ],
    [
      'asks for the past',
      (_, response) => response.writeHead(503, { 'retry-after': '-5' }).end(),
      { status: 503 },
    ],
    [
      'asks for something else than a time',
      (_, response) => response.writeHead(503, { 'retry-after': '1e9; drop table' }).end(),
      { status: 503 },
    ],
    ['closes immediately', (request) => request.socket.destroy(), { error: expect.any(String) }],
    ['never answers', () => {}, { error: noResponse }],
    [
      'answers no HTTP',
      (request) => request.socket.end('planted-answer\r\n\r\n'),
      { error: expect.any(String) },
    ],
    [
      'sends headers without end',
      (request) => request.socket.end(`HTTP/1.1 200 OK\r\nX: ${'planted-answer'.repeat(10_000)}\r\n\r\n`),
      { error: expect.any(String) },
    ],
  ]

  it.each(rude)(
    'retries a receiver that %s on schedule, and stores nothing of its response',
    async (_, answer, last) => {
      const { url } = await startReceiver(answer)
      const silent = 'error' in last && last.error === noResponse
      const patience = silent ? { webhookTimeout: 300 } : {}
      const { own, text, delivery } = await alarmed(url, { webhookLoopback: true, ...patience })
      expect(delivery).toMatchObject({ outcome: 'pending', attempts: 1, lastAttempt: last })
      const wait = Date.parse(delivery?.nextAttempt ?? '') - Date.UTC(2026, 2, 1, 12)
      expect(wait).toBeGreaterThanOrEqual(5000)
      expect(wait).toBeLessThanOrEqual(86_400_000)
      expect(text).not.toContain('planted')
      expect((await own.ask(configs, { accept: newest })).status).toBe(200)
    },
  )
})
