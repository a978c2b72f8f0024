import { randomBytes } from 'node:crypto'
import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { controlOperations, exampleOf } from '../../test/control-check.ts'
import { rawRequest } from '../../test/raw-request.ts'
import { bearerOf } from '../../test/token.ts'
import { resetTo } from './control.ts'

const configs = `/groups/${projectId}/alertConfigs`
/** A long text. It is random, because PostgreSQL would compress a repetitive text. */
const long = randomBytes(4500).toString('hex')

/** All requests with a body. */
const misspelt = controlOperations.flatMap(({ name, operation }) => {
  const example = exampleOf(operation)
  return typeof example === 'object' ? [{ name, example }] : []
})

describe('the control interface', () => {
  it.each(misspelt)('rejects an unsupported field: $name', async ({ name, example }) => {
    const server = await startChecked()
    const [method = '', path = ''] = name.split(' ')
    const response = await server.control(method, path, { ...example, advance: 1 })
    expect(response.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR' })
    expect(response.textAt('detail')).toContain("'advance'")
  })

  it('lists the supported fields, also of nested objects', async () => {
    const server = await startChecked()
    const detail = async (method: string, path: string, body: unknown) =>
      (await server.control(method, path, body)).textAt('detail')
    const known = 'Allowed fields: now, advanceSeconds, rate.'
    expect(await detail('PUT', '/clock', { advance: 1 })).toBe(
      `The body has an unknown field 'advance'. ${known}`,
    )
    expect(await detail('POST', '/worlds', { clock: { advance: 1 } })).toBe(
      `'clock' has an unknown field 'advance'. ${known}`,
    )
    expect(await detail('PUT', '/transitions', { snapshot: { mode: 'after', second: 1 } })).toBe(
      "'snapshot' has an unknown field 'second'. Allowed fields: mode, seconds, reads.",
    )
    expect(await detail('POST', '/faults', { operationId: '*', kind: 'reset', time: 1 })).toMatch(
      /^The body has an unknown field 'time'\. Allowed fields: operationId, kind, /,
    )
    expect((await server.control('GET', '/worlds')).at('worlds')).toHaveLength(1)
  })

  const place = { groupId: projectId, clusterName: 'orders-eu' }
  const event = { groupId: projectId, eventTypeName: 'HOST_DOWN' }
  it.each<[string, string, unknown, string | RegExp]>([
    ['POST', '/events', { ...event, active: 'false' }, "'active' must be a boolean."],
    ['POST', '/events', { ...event, clusterName: '' }, "'clusterName' must not be empty."],
    [
      'POST',
      '/events',
      { ...event, clusterName: 'a'.repeat(1001) },
      `'clusterName' must be at most ${limits.clusterName.maxLength} characters long.`,
    ],
    [
      'POST',
      '/events',
      { ...event, fields: { PORT: {} } },
      "'fields.PORT' must be a string or a number or a boolean.",
    ],
    ['POST', '/events', { groupId: projectId }, "'eventTypeName' is required."],
    [
      'POST',
      '/backups/deletable',
      { groupId: projectId, deletable: 'false' },
      "'deletable' must be a boolean.",
    ],
    [
      'PUT',
      '/transitions',
      { transitions: { '*': { mode: 'immediate' } } },
      /^'transitions' has no transition mode\. Use one of .*snapshot, or \* for all\.$/,
    ],
    ['PUT', '/transitions', { snapshot: { mode: 'slow' } }, /^'snapshot.mode' must be one of described, /],
    [
      'PUT',
      '/transitions',
      { snapshot: { mode: 'reads', reads: -1 } },
      "'snapshot.reads' must be a number from 0 to 1000000.",
    ],
    [
      'POST',
      '/faults',
      { operationId: '*', kind: 'reset', share: 0 },
      "'share' must be a number greater than 0 and at most 1.",
    ],
    [
      'POST',
      '/faults',
      { operationId: '*', kind: 'reset', times: 1.5 },
      "'times' must be an integer from 1 to 1000000.",
    ],
    ['POST', '/worlds', { clock: 'now' }, "'clock' must be an object."],
    ['POST', '/access-logs', { ...place, entries: [1] }, "'entries[0]' must be an object."],
    [
      'POST',
      '/access-logs',
      { ...place, entries: [{ authResult: 'true' }] },
      "'entries[0].authResult' must be a boolean.",
    ],
    ['POST', '/reset', [], 'The body must be an object.'],
    ['POST', '/reset', { fixture: null }, "'fixture' must be a string."],
  ])('describes the error in a request: %s %s %j', async (method, path, body, detail) => {
    const server = await startChecked()
    const refused = await server.control(method, path, body)
    expect(refused.body).toMatchObject({
      error: 400,
      errorCode: 'VALIDATION_ERROR',
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    })
  })

  it.each([
    'Feb 3, 2026',
    '2026',
    '1',
    '2026-02-03',
    '2026-02-03T10:00:00',
    '2026-02-03 10:00:00Z',
    '2026-02-30T10:00:00Z',
    '2026-02-03T24:00:00Z',
  ])('rejects %s as a time', async (moment) => {
    const server = await startChecked()
    const detail = expect.stringMatching(/ must be an RFC 3339 date-time, such as /)
    const refused = await server.control('PUT', '/clock', { now: moment })
    expect(refused.body).toMatchObject({ error: 400, detail })
    const entries = [{ timestamp: moment }]
    expect((await server.control('POST', '/access-logs', { ...place, entries })).body).toMatchObject({
      error: 400,
      detail,
    })
  })

  it('returns times in UTC, regardless of their offset', async () => {
    const server = await startChecked()
    const moment = '2026-02-28t23:30:00.5-02:00'
    await server.control('POST', '/access-logs', { ...place, entries: [{ timestamp: moment }] })
    const logs = await server.ask(`/groups/${projectId}/dbAccessHistory/clusters/orders-eu`)
    expect(logs.at('accessLogs', 0, 'timestamp')).toBe('2026-03-01T01:30:00.500Z')
    await server.control('POST', '/access-logs', { ...place, entries: [{}] })
    const now = await server.ask(`/groups/${projectId}/dbAccessHistory/clusters/orders-eu`)
    expect(now.at('accessLogs', 0, 'timestamp')).toBe('2026-03-01T12:00:00Z')
    await server.control('PUT', '/clock', { now: moment, rate: 0 })
    expect((await server.control('GET', '/clock')).at('now')).toBe('2026-03-01T01:30:00.500Z')
  })

  it('replaces everything with the demo and resets the clock to the wall clock', async () => {
    const server = await startChecked()
    const before = (await server.ask(configs)).body
    await server.ask(configs, { method: 'POST', json: { eventTypeName: 'A', notifications: [] } })
    await server.control('PUT', '/clock', { now: '2030-01-01T00:00:00Z' })
    expect((await server.control('POST', '/reset')).status).toBe(200)
    expect((await server.ask(configs)).body).toEqual(before)
    expect((await server.control('GET', '/clock')).body).toEqual({ now: '2026-03-01T12:00:00.000Z', rate: 1 })
  })

  it('rejects an invalid fixture and keeps everything unchanged', async () => {
    const server = await startChecked()
    const [id, name] = ['a'.repeat(24), 'o']
    const unfitting = {
      organizations: [{ id, name }],
      projects: [{ id: projectId, orgId: id, name }],
      clusters: [{}],
    }
    for (const content of [{ banana: 1 }, unfitting]) {
      const named = await server.control('PUT', '/fixtures/unfitting', content)
      expect(named.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR' })
    }
    expect((await server.control('GET', '/fixtures')).at('fixtures')).toEqual(['demo', 'empty'])
    await server.control('PUT', '/clock', { now: '2030-01-01T00:00:00Z', rate: 0 })
    await server.control('PUT', '/transitions', { snapshot: { mode: 'manual' } })
    const before = (await server.ask(configs)).body
    await expect(resetTo(server.world, unfitting)).rejects.toThrow("'groupId' must be a string")
    expect((await server.ask(configs)).body).toEqual(before)
    expect((await server.control('GET', '/clock')).textAt('now')).toMatch(/^2030/)
    expect((await server.control('GET', '/transitions')).at('transitions', 'snapshot', 'mode')).toBe('manual')
  })

  it("rejects a path in a seed that can't be decoded", async () => {
    const server = await startChecked()
    const response = await server.control('POST', '/seed', { customDns: [{ self: '/groups/%zz' }] })
    expect(response.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR' })
  })

  it.each(['/fixtures/%zz', `/fixtures/${'a'.repeat(300)}`, '/worlds/%zz'])(
    'rejects an unreadable path with its own error format: %s',
    async (path) => {
      const server = await startChecked()
      const method = path.startsWith('/fixtures') ? 'PUT' : 'DELETE'
      const response = await server.control(method, path, {})
      expect(response.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR', parameters: ['path'] })
    },
  )

  it('seeds resources without their path, which no response contains', async () => {
    const server = await startChecked()
    for (const path of [configs, `/groups/${projectId}/alerts`]) {
      const { results } = (await server.ask(path)).body as { results: object[] }
      expect(results.length).toBeGreaterThan(0)
      expect(results.filter((item) => 'self' in item)).toEqual([])
    }
  })

  it('merges a seed atomically', async () => {
    const server = await startChecked()
    const groupId = 'a'.repeat(24)
    const projects = [{ id: groupId, orgId: '64b7e0a10f3a5d6e7f809001', name: 'seeded' }]
    const broken = await server.control('POST', '/seed', { projects, clusters: [{ groupId }] })
    expect(broken.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR' })
    expect((await server.ask(`/groups/${groupId}/alerts`)).status).toBe(404)
    expect((await server.control('POST', '/seed', { projects })).status).toBe(200)
    expect((await server.ask(`/groups/${groupId}/alerts`)).at('results')).toEqual([])
  })

  it('removes an organization with everything in it, and credentials', async () => {
    const server = await startChecked()
    const [orgId, groupId] = ['a'.repeat(24), 'b'.repeat(24)]
    const key = { publicKey: 'norolekk', privateKey: 'demo-12c7-4f5e-9a1d-6b8f0e2d12a4' }
    const own = {
      organizations: [{ id: orgId, name: 'seeded' }],
      projects: [{ id: groupId, orgId, name: 'seeded' }],
      apiKeys: [{ ...key, roles: [{ role: 'ORGANIZATION_OWNER', orgId }] }],
    }
    const path = `/groups/${groupId}/alertConfigs`
    await server.control('POST', '/seed', own)
    await server.ask(path, {
      method: 'POST',
      json: { eventTypeName: 'A', notifications: [] },
      as: 'norolekk',
    })
    expect((await server.ask(path, { as: 'norolekk' })).at('totalCount')).toBe(1)
    expect((await server.control('POST', '/unseed', { organizations: [{ id: orgId }] })).status).toBe(200)
    expect((await server.ask(path, { as: 'norolekk' })).status).toBe(404)
    await server.control('POST', '/seed', own)
    expect((await server.ask(path, { as: 'norolekk' })).at('totalCount')).toBe(0)
    await server.control('POST', '/unseed', { apiKeys: [{ publicKey: 'norolekk' }] })
    expect((await server.ask(path, { as: 'norolekk' })).status).toBe(401)
    expect((await server.ask(configs)).status).toBe(200)
  })

  it.each([
    ['POST', '/seed', { apiKeys: [{ publicKey: long, privateKey: 'x', roles: [] }] }, 244],
    ['POST', '/seed', { organizations: [{ id: 'a'.repeat(24), name: long }] }, limits.name.maxLength],
    ['POST', '/seed', { clusters: [{ groupId: projectId, hostnames: [long] }] }, limits.hostname.maxLength],
    [
      'POST',
      '/access-logs',
      { groupId: projectId, clusterName: 'orders-eu', entries: [{ hostname: long }] },
      limits.hostname.maxLength,
    ],
  ])("rejects a name that some databases can't find again: %s %s", async (method, path, body, most) => {
    const server = await startChecked()
    const refused = await server.control(method, path, body)
    expect([refused.status, refused.textAt('detail')]).toEqual([
      400,
      expect.stringContaining(`at most ${most} characters`),
    ])
  })

  it('rejects an index entry that is too long for the database', async () => {
    const server = await startChecked()
    const self = `/api/svc/v2/groups/${projectId}/clusters/${long}/search/deployment`
    const fields = { id: '5'.repeat(24), stateName: 'IDLE', specs: [{ instanceSize: 'S20', nodeCount: 2 }] }
    const response = await server.control('POST', '/seed', { searchNodes: [{ ...fields, self }] })
    expect([200, 400]).toContain(response.status)
  })

  it('recognizes a condition again, however long its description is', async () => {
    const server = await startChecked()
    const json = { eventTypeName: 'HOST_DOWN', enabled: true, notifications: [] }
    await server.ask(configs, { method: 'POST', json })
    const parts = long.match(/.{1,1000}/g) ?? []
    const fields = Object.fromEntries(parts.map((part, at) => [`a${at}`, part]))
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN', fields }
    const raised = await server.control('POST', '/events', event)
    expect([raised.status, raised.at('alerts', 0)]).toEqual([200, expect.any(String)])
    expect((await server.control('POST', '/events', event)).body).toEqual(raised.body)
    const other = { ...event, fields: { ...fields, a0: 'x' } }
    expect((await server.control('POST', '/events', other)).body).not.toEqual(raised.body)
  })

  it('removes a service account with its tokens, even if another one has its client ID', async () => {
    const server = await startChecked()
    const roles = [{ role: 'PROJECT_READ_ONLY', groupId: projectId }]
    const account = { clientId: 'svc_sa_again', clientSecret: 'first', roles }
    await server.control('POST', '/seed', { serviceAccounts: [account] })
    const headers = { authorization: await bearerOf(server.url, account) }
    expect((await server.ask(configs, { as: null, headers })).status).toBe(200)
    await server.control('POST', '/unseed', { serviceAccounts: [{ clientId: account.clientId }] })
    expect((await server.ask(configs, { as: null, headers })).status).toBe(401)
    await server.control('POST', '/seed', { serviceAccounts: [{ ...account, clientSecret: 'second' }] })
    expect((await server.ask(configs, { as: null, headers })).status).toBe(401)
  })

  it('removes a cluster with its access history and keeps the history of others', async () => {
    const server = await startChecked()
    const logs = (name: string) => server.ask(`/groups/${projectId}/dbAccessHistory/clusters/${name}`)
    expect((await logs('orders-eu')).status).toBe(200)
    await server.control('POST', '/unseed', { clusters: [{ groupId: projectId, name: 'orders-eu' }] })
    expect((await logs('orders-eu')).status).toBe(404)
  })

  it('changes credentials immediately, even those already used', async () => {
    const server = await startChecked()
    const key = { publicKey: 'norolekk', privateKey: 'demo-12c7-4f5e-9a1d-6b8f0e2d12a4' }
    expect((await server.ask(configs, { as: 'norolekk' })).status).toBe(404)
    const roles = [{ role: 'PROJECT_READ_ONLY', groupId: projectId }]
    await server.control('POST', '/seed', { apiKeys: [{ ...key, roles }] })
    expect((await server.ask(configs, { as: 'norolekk' })).status).toBe(200)
  })

  it.each<[string, string, unknown]>([
    ['POST', '/seed', { nonsense: [] }],
    ['POST', '/seed', { projects: {} }],
    [
      'POST',
      '/seed',
      { apiKeys: [{ publicKey: 'a', privateKey: 'b', roles: [{ role: 'KING', orgId: 'x' }] }] },
    ],
    ['POST', '/seed', { apiKeys: [{ publicKey: 'a', privateKey: 'b', roles: [], accessList: ['x'] }] }],
    ['POST', '/seed', []],
    ['POST', '/unseed', { alertConfigs: [] }],
    ['POST', '/unseed', { clusters: [{ name: 'orders-eu' }] }],
    ['PUT', '/clock', { now: 'noon' }],
    ['PUT', '/clock', { rate: -1 }],
    ['PUT', '/clock', { rate: 'fast' }],
    ['PUT', '/clock', { advanceSeconds: 1e300 }],
    ['PUT', '/clock', { now: '1969-01-01T00:00:00Z' }],
    ['POST', '/events', { groupId: projectId }],
    ['POST', '/events', { groupId: projectId, eventTypeName: 'A', fields: [] }],
    ['POST', '/access-logs', { groupId: projectId, clusterName: 'orders-eu', entries: [1] }],
  ])('rejects %s %s %j', async (method, path, body) => {
    const server = await startChecked()
    expect((await server.control(method, path, body)).body).toMatchObject({
      error: 400,
      errorCode: 'VALIDATION_ERROR',
    })
  })

  it('rejects unknown projects, clusters and paths', async () => {
    const server = await startChecked()
    const groupId = 'a'.repeat(24)
    for (const [method, path, body] of [
      ['POST', '/events', { groupId, eventTypeName: 'A' }],
      ['POST', '/access-logs', { groupId: projectId, clusterName: 'nobody', entries: [] }],
      ['GET', '/nothing', undefined],
      ['DELETE', '/clock', undefined],
    ] as const) {
      expect((await server.control(method, path, body)).status).toBe(404)
    }
  })

  it('rejects requests from web pages, regardless of the host name', async () => {
    const server = await startChecked()
    const url = server.controlUrl ?? ''
    for (const lines of [
      'Host: evil.example',
      'Host: localhost\r\nOrigin: https://evil.example',
      'Host: 127.0.0.1.evil.example',
    ]) {
      expect((await rawRequest(url, `GET /clock HTTP/1.1\r\n${lines}\r\n\r\n`)).status).toBe(404)
    }
    expect((await rawRequest(url, 'GET /clock HTTP/1.1\r\nHost: localhost:1\r\n\r\n')).status).toBe(200)
  })

  it.each(['X: x', 'Host:', 'Host: a b', 'Host: localhost\r\nHost: evil.example'])(
    'rejects a request without exactly one well-formed Host: %j',
    async (lines) => {
      const server = await startChecked()
      const response = await rawRequest(server.controlUrl ?? '', `GET /clock HTTP/1.1\r\n${lines}\r\n\r\n`)
      expect(JSON.parse(response.body)).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR' })
    },
  )
})
