import { limits } from '@svc-admin/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlActions } from '../../src/sandbox/control.ts'
import { writeOnlyFields } from '../../src/specification/write-only.ts'
import { type CheckedServer, demoSecrets, projectId, startChecked } from '../checked-server.ts'
import { digestHeader } from '../digest-client.ts'
import { askOf, bodiesOf, cells, operationOf } from '../documented.ts'
import { rawExchange, rawRequest } from '../raw-request.ts'
import { contentHash, startIdle } from '../stored-rows.ts'

/** Tests authentication, authorization and resource limits (OWASP API Security Top 10, 2023, API2 to API5). */

let server: CheckedServer
let untouched = ''
beforeAll(async () => {
  server = await startIdle()
  untouched = await contentHash(server)
})
afterAll(() => server.stop())

const named = cells.map((cell) => [cell.name, cell] as const)
const configs = `/groups/${projectId}/alertConfigs`

/**
 * For more tests, see `src/auth/*.test.ts`, `token-issuance.test.ts` and, for several processes,
 * `postgres/processes.test.ts`.
 */
describe('API2 broken authentication', () => {
  it.each(named)('%s requires valid credentials', async (_, cell) => {
    for (const authorization of [undefined, 'Bearer svc_at_x', 'Basic eDp5', 'Digest username="orgowner"']) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const refused = await askOf(server, cell, { as: null, headers })
      expect([refused.status, refused.at('errorCode')]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it('returns the same error for existing and unknown names', async () => {
    const uri = `/api/svc/v2${configs}`
    const attempt = async (username: string) => {
      const nonce = server.world.nonces.issue(await server.world.clock.now())
      const authorization = digestHeader({ username, secret: 'guess', nonce, method: 'GET', uri })
      const { status, headers, text } = await server.ask(configs, { as: null, headers: { authorization } })
      const own = ['date', 'x-request-id', 'www-authenticate']
      const told = [...headers].filter(([name]) => !own.includes(name))
      const challenge = headers.get('www-authenticate')?.replace(/nonce="[^"]+"/, '')
      return { status, told, challenge, text }
    }
    expect(await attempt('orgowner')).toEqual(await attempt('orgownar'))
  })

  it('rejects credentials sent for another request', async () => {
    const uri = `/api/svc/v2${configs}`
    const nonce = server.world.nonces.issue(await server.world.clock.now())
    const secret = demoSecrets.get('orgowner') ?? ''
    const stolen = digestHeader({ username: 'orgowner', secret, nonce, uri, method: 'GET' })
    const use = async (path: string, method: string) =>
      (await server.ask(path, { as: null, method, headers: { authorization: stolen } })).status
    expect(await use(`${configs}?itemsPerPage=${limits.itemsPerPage.maximum}`, 'GET')).toBe(401)
    expect(await use(configs, 'POST')).toBe(401)
    expect([await use(configs, 'GET'), await use(configs, 'GET')]).toEqual([200, 401])
  })

  it('changes nothing', async () => {
    expect(await contentHash(server)).toBe(untouched)
  })
})

/** Values for read-only fields. Clients must not be able to set these fields. */
const planted = Object.fromEntries(
  ['id', '_id', 'groupId', 'orgId', 'created', 'createdAt', 'status', 'state', 'links', 'deletable'].map(
    (name) => [name, `planted-${name}`],
  ),
)

/** For more tests of secrets, see `alert-configurations.test.ts` and `authentication.test.ts`. */
describe('API3 broken object property level authorization', () => {
  const bodied = cells.flatMap((cell) => {
    const [body] = bodiesOf(cell)
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    return isObject ? [[cell.name, cell, { ...planted, ...body }] as const] : []
  })

  it.each(bodied)("%s doesn't let clients set read-only fields", async (_, cell, json) => {
    const response = await askOf(server, cell, { json })
    if (response.status >= 400)
      expect([response.status, response.at('errorCode')]).toEqual([400, 'VALIDATION_ERROR'])
    // If a body has no fixed schema, it is stored separately from the read-only fields.
    else
      expect([response.text.includes('planted-status'), cell.route.row.id]).toEqual([false, 'createFtsIndex'])
  })

  it.each(named.filter(([, { route }]) => route.row.method === 'GET'))(
    '%s returns no write-only field',
    async (_, cell) => {
      const { status, body } = await askOf(server, cell)
      expect(status).toBe(200)
      JSON.stringify(body, (name, value: unknown) => {
        expect([...writeOnlyFields()]).not.toContain(name)
        return value
      })
    },
  )
})

/**
 * For more tests, see `hostile.test.ts` (sizes, depths and lengths), `schemas.test.ts` (patterns) and
 * `start-server.test.ts`.
 */
describe('API4 unrestricted resource consumption', () => {
  it.each(named.filter(([, cell]) => operationOf(cell).requestBody !== undefined))(
    '%s returns 413 for a body over the limit',
    async (_, cell) => {
      const refused = await askOf(server, cell, { json: { padding: 'x'.repeat(server.options.bodyLimit) } })
      expect([refused.status, refused.at('errorCode')]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    },
  )

  it.each(named.filter(([, { route }]) => route.row.paged))(
    '%s rejects a page size over the maximum',
    async (_, cell) => {
      const refused = await askOf(server, cell, { query: `?itemsPerPage=${limits.itemsPerPage.maximum + 1}` })
      expect([refused.status, refused.at('parameters')]).toEqual([400, ['itemsPerPage']])
    },
  )

  it('serves other clients while 300 connections send incomplete requests', async () => {
    const patient = await startChecked({ headersTimeout: 300, requestTimeout: 400 })
    const begun = `POST /api/svc/v2${configs} HTTP/1.1\r\nHost: x\r\n`
    const slow = Array.from({ length: 300 }, () => rawExchange(patient.url, begun))
    for (let count = 0; count < 5; count += 1) expect((await patient.ask(configs)).status).toBe(200)
    const endings = (await Promise.all(slow)).map(({ status, ending }) => `${status} ${ending}`)
    expect(new Set(endings)).toEqual(new Set(['408 end']))
  })
})

/** For tests of all combinations of operations, versions and roles, see `src/http/roles.test.ts`. */
describe('API5 broken function level authorization', () => {
  // Exclude the health check, because the API has one too.
  const actions = Object.keys(controlActions).filter((action) => action !== 'GET /healthz')

  it.each(actions)("the API doesn't expose the sandbox control action %s", async (action) => {
    const [method = '', path = ''] = action.split(' ')
    for (const place of [path, `/worlds/main${path}`, `/api/svc/v2${path}`]) {
      const bytes = `${method} ${place} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}`
      expect([404, 405]).toContain((await rawRequest(server.url, bytes)).status)
    }
  })

  it.each(['X-HTTP-Method', 'X-HTTP-Method-Override', 'X-Method-Override'])(
    "a reader can't delete anything with %s",
    async (name) => {
      const path = `${configs}/66c4d5e60f3a5d6e7f809a01`
      await server.ask(`${path}?_method=DELETE`, { as: 'readonly' })
      await server.ask(path, { as: 'readonly', method: 'POST', headers: { [name]: 'DELETE' } })
      const read = await server.ask(path, { as: 'readonly', headers: { [name]: 'DELETE' } })
      expect([read.status, read.at('id')]).toEqual([200, '66c4d5e60f3a5d6e7f809a01'])
    },
  )
})
