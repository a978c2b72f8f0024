import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { type CheckedServer, newest, projectId, startChecked } from '../../../test/checked-server.ts'
import { rawRequest } from '../../../test/raw-request.ts'
import { readResponse } from '../../../test/test-response.ts'

const client = 'svc_sa_orgowner'
const secret = 'svc_ss_demo01Qm3nJ7cT5pXh2dR8vKw01'
const form = 'application/x-www-form-urlencoded'
const fieldNames = '/api/svc/v2/alertConfigs/matchers/fieldNames'

const basic = (id: string, password: string) => `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`

interface Request {
  readonly authorization?: string | undefined
  readonly body?: string
  readonly type?: string
  readonly query?: string
}

async function issue(server: CheckedServer, request: Request = {}) {
  const authorization = 'authorization' in request ? request.authorization : basic(client, secret)
  const { body = 'grant_type=client_credentials', type = form, query = '' } = request
  const response = await fetch(`${server.url}/api/oauth/token${query}`, {
    method: 'POST',
    headers: { ...(authorization ? { authorization } : {}), 'content-type': type },
    body,
  })
  return readResponse(response)
}

async function use(server: CheckedServer, authorization: string) {
  return (await fetch(server.url + fieldNames, { headers: { authorization, accept: newest } })).status
}

const storing = ({ headers }: { readonly headers: Headers }) => [
  headers.get('cache-control'),
  headers.get('pragma'),
]
const forbidden = ['no-store', 'no-cache']

describe('the token endpoint', () => {
  it('issues a token that works until it expires', async () => {
    const server = await startChecked()
    const issued = await issue(server)
    expect(issued.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(storing(issued)).toEqual(forbidden)
    const token = `Bearer ${issued.textAt('access_token')}`
    expect(await use(server, token)).toBe(200)
    expect(await use(server, token.replace('Bearer', 'bearer'))).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 3599 })
    expect(await use(server, token)).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 1 })
    expect(await use(server, token)).toBe(401)
  })

  it('revokes the tokens of a secret that is replaced, and only those', async () => {
    const server = await startChecked()
    const tokenOf = async (request: Request) =>
      `Bearer ${(await issue(server, request)).textAt('access_token')}`
    const own = { clientId: 'rotated', roles: [{ role: 'PROJECT_OWNER', groupId: projectId }] }
    const seed = (clientSecret: string) =>
      server.control('POST', '/seed', { serviceAccounts: [{ ...own, clientSecret }] })
    await seed('first')
    const other = await tokenOf({})
    const first = await tokenOf({ authorization: basic('rotated', 'first') })
    await seed('first')
    expect(await use(server, first)).toBe(200)
    await seed('second')
    expect(await use(server, first)).toBe(401)
    const second = await tokenOf({ authorization: basic('rotated', 'second') })
    expect([await use(server, second), await use(server, other)]).toEqual([200, 200])
  })

  it("doesn't log client errors as server errors", async () => {
    const lines: string[] = []
    const server = await startChecked({ logLevel: 'error', writeLog: (text) => lines.push(text) })
    expect((await issue(server, { authorization: basic(client, 'wrong') })).status).toBe(401)
    expect((await issue(server, { body: 'grant_type=password' })).status).toBe(400)
    // The server writes its log in batches. Stopping the server writes all remaining lines.
    await server.stop()
    expect(lines).toEqual([])
  })

  it.each([
    ['both parts', `client_id=${client}&client_secret=${secret}`, 400],
    ['the secret', `client_secret=${secret}`, 400],
    ['the name of another', 'client_id=svc_sa_projownr', 400],
    ['its own name', `client_id=${client}`, 200],
    ['nothing', 'client_id=&client_secret=', 200],
  ])('rejects credentials sent twice: in the form and as Basic %s', async (_, more, status) => {
    const server = await startChecked()
    const issued = await issue(server, { body: `grant_type=client_credentials&${more}` })
    expect([issued.status, issued.at('error')]).toEqual([
      status,
      status === 400 ? 'invalid_request' : undefined,
    ])
  })

  it('rejects two Authorization headers, even if one is valid', async () => {
    const server = await startChecked()
    const lines = [basic(client, secret), basic(client, 'wrong')].map((each) => `Authorization: ${each}\r\n`)
    for (const both of [lines, lines.toReversed()]) {
      const head = `POST /api/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\n${both.join('')}`
      const answer = await rawRequest(
        server.url,
        `${head}Content-Length: 29\r\n\r\ngrant_type=client_credentials`,
      )
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_request'])
    }
  })

  it('stores no token in plain text', async () => {
    const server = await startChecked()
    const token = (await issue(server)).textAt('access_token')
    const rows = await server.world.database.all(
      { build: (db) => db.selectFrom('tokens').selectAll(), compiled: new Map() },
      {},
    )
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it.each([
    ['a token cut by one character', (token: string) => token.slice(0, -1)],
    ['a token in different case', (token: string) => token.toUpperCase()],
    ['a made-up token', () => 'svc_at_0Qm3nJ7cT5pXh2dR8vKw'],
    ['no token', () => ''],
    ['a token with a suffix', (token: string) => `${token} x`],
  ])('%s grants no access', async (_, change) => {
    const server = await startChecked()
    const token = (await issue(server)).textAt('access_token')
    expect(await use(server, `Bearer ${change(token)}`)).toBe(401)
  })

  it('rejects a token in the query', async () => {
    const server = await startChecked()
    const token = (await issue(server)).textAt('access_token')
    const response = await fetch(`${server.url}${fieldNames}?access_token=${token}`, {
      headers: { accept: newest },
    })
    expect(response.status).toBe(401)
  })

  it.each<[string, Request, number, string]>([
    ['no credentials', { authorization: undefined }, 401, 'invalid_client'],
    ['another scheme', { authorization: 'Bearer x' }, 401, 'invalid_client'],
    ['invalid base64', { authorization: 'Basic !!' }, 401, 'invalid_client'],
    ['a wrong secret', { authorization: basic(client, 'wrong') }, 401, 'invalid_client'],
    ['an unknown client with an empty secret', { authorization: basic('nobody', '') }, 401, 'invalid_client'],
    ['an unknown client', { authorization: basic('nobody', secret) }, 401, 'invalid_client'],
    ['no grant', { body: '' }, 400, 'invalid_request'],
    ['an empty grant', { body: 'grant_type=' }, 400, 'invalid_request'],
    ['a repeated grant', { body: 'grant_type=client_credentials&grant_type=x' }, 400, 'invalid_request'],
    ['another grant', { body: 'grant_type=password' }, 400, 'unsupported_grant_type'],
    ['JSON', { body: '{}', type: 'application/json' }, 400, 'invalid_request'],
    ['an unknown query parameter', { query: '?x=1' }, 400, 'invalid_request'],
    ['a wrong flag', { query: '?pretty=yes' }, 400, 'invalid_request'],
    [
      'another network',
      { authorization: basic('svc_sa_netlimit', 'svc_ss_demo13Qm3nJ7cT5pXh2dR8vKw13') },
      403,
      'access_denied',
    ],
    ['a body of 2 MB', { body: `grant_type=${'x'.repeat(2_000_000)}` }, 400, 'invalid_request'],
  ])('returns an OAuth error for %s', async (_, request, status, error) => {
    const server = await startChecked()
    const refused = await issue(server, request)
    expect([refused.status, refused.at('error')]).toEqual([status, error])
    expect(refused.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="svc-admin"' : null)
    expect(storing(refused)).toEqual(forbidden)
  })

  it.each<[Request, string]>([
    [{ query: '?x=1' }, 'The operation has no query parameter x.'],
    [{ query: '?envelope=1' }, 'The query parameter envelope must be a boolean.'],
    [{ query: '?pretty=true&pretty=true' }, 'The query parameter pretty appears more than once.'],
    [{ body: 'grant_type=' }, 'The form must include the grant_type parameter.'],
    [{ body: 'scope=a&scope=b' }, 'The form parameter scope appears more than once.'],
    [
      { body: '{}', type: 'application/json' },
      'The body must have the media type application/x-www-form-urlencoded.',
    ],
    [{ body: 'x'.repeat(2_000_000) }, `The request body is larger than ${limits.body.bytes} bytes.`],
    [
      { body: 'grant_type=client_credentials&client_secret=x' },
      'credentials not valid: The request contains both an Authorization header and a client_secret.',
    ],
    [{ authorization: basic(client, 'wrong') }, 'invalid credentials provided'],
    [{ body: 'grant_type=password' }, 'invalid grant type'],
    // In descriptions, only ASCII characters without quotes and backslashes are allowed (RFC 6749 §5.2).
    [{ query: '?%22%5C%C3%BC%0A=1' }, 'The operation has no query parameter %22%5C%C3%BC%0A.'],
    [{ body: 'ü=1&ü=2' }, 'The form parameter %C3%BC appears more than once.'],
  ])('describes the error in %j', async (request, description) => {
    const server = await startChecked()
    expect((await issue(server, request)).at('error_description')).toBe(description)
  })

  it('reads a form with the maximum number of parameters without blocking other requests', async () => {
    const server = await startChecked()
    const names = Array.from({ length: 200_000 }, (_, index) => index.toString(36))
    const refused = await issue(server, { body: [...names, 'a'].join('&') })
    expect(refused.at('error_description')).toBe('The form parameter a appears more than once.')
  })

  it('serves ten requests per client and minute, valid or not, and other clients in the meantime', async () => {
    const server = await startChecked()
    const wrong = { authorization: basic(client, 'wrong') }
    for (let request = 0; request < 9; request += 1) expect((await issue(server, wrong)).status).toBe(401)
    expect((await issue(server)).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 20 })
    const limited = await issue(server)
    expect([limited.status, limited.at('error'), limited.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '40',
    ])
    expect((await issue(server, { authorization: basic('other', 'x') })).status).toBe(401)
    await server.control('PUT', '/clock', { advanceSeconds: 40 })
    expect((await issue(server)).status).toBe(200)
  })

  it('serves them again from an earlier time after the clock goes back', async () => {
    const server = await startChecked()
    await server.control('PUT', '/clock', { rate: 0 })
    for (let request = 0; request < 10; request += 1) expect((await issue(server)).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: -30 })
    for (let request = 0; request < 10; request += 1) expect((await issue(server)).status).toBe(200)
    expect((await issue(server)).headers.get('retry-after')).toBe('60')
  })

  it('wraps and indents responses on request', async () => {
    const server = await startChecked()
    const issued = await issue(server, { query: '?envelope=true&pretty=true' })
    expect(issued.text).toMatch(/^\{\n {2}"status": 200,\n {2}"content": \{\n/)
    const refused = await issue(server, { query: '?envelope=true', body: '' })
    expect(refused.body).toMatchObject({ status: 400, content: { error: 'invalid_request' } })
  })
})

describe('a body with two content types', () => {
  const post = async (server: CheckedServer, path: string, headers: readonly string[], body: string) => {
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, `Content-Length: ${body.length}`, '', body]
    const answer = await rawRequest(server.url, lines.join('\r\n'))
    return [answer.status, JSON.parse(answer.body)]
  }

  it('is rejected in either order', async () => {
    const server = await startChecked()
    const token = (await issue(server)).textAt('access_token')
    const json = { 'v1.0': 'application/json', v2: newest }
    for (const [generation, type] of Object.entries(json)) {
      const path = `/api/svc/${generation}/groups/${projectId}/cloudProviderAccess`
      const ask = (...types: string[]) => {
        const own = [`Accept: ${type}`, `Authorization: Bearer ${token}`]
        return post(server, path, [...own, ...types.map((one) => `Content-Type: ${one}`)], body)
      }
      const body = JSON.stringify({ providerName: 'AWS' })
      expect((await ask(type))[0]).toBe(200)
      for (const types of [
        [type, 'text/plain'],
        ['text/plain', type],
        [type, type],
      ])
        expect(await ask(...types)).toMatchObject([
          415,
          { errorCode: 'UNSUPPORTED_MEDIA_TYPE', parameters: ['Content-Type'] },
        ])
    }
  })

  it('is rejected by the token endpoint with an OAuth error', async () => {
    const server = await startChecked()
    const headers = [
      `Authorization: ${basic(client, secret)}`,
      `Content-Type: ${form}`,
      'Content-Type: text/plain',
    ]
    expect(await post(server, '/api/oauth/token', headers, 'grant_type=client_credentials')).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The Content-Type header appears more than once.' },
    ])
  })
})
