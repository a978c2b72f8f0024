import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  type CheckedServer,
  demoSecrets,
  newest,
  projectId,
  startChecked,
} from '../../test/checked-server.ts'
import { type DigestParts, digestHeader, nonceOf } from '../../test/digest-client.ts'

const path = `/api/svc/v2/groups/${projectId}/alerts`
const username = 'orgowner'
const secret = demoSecrets.get(username) ?? ''

async function get(server: CheckedServer, headers: Record<string, string> = {}, target = path) {
  return fetch(server.url + target, { headers: { accept: newest, ...headers } })
}

async function challenged(server: CheckedServer): Promise<string> {
  return nonceOf((await get(server)).headers.get('www-authenticate'))
}

async function attempt(server: CheckedServer, nonce: string, change: Partial<DigestParts> = {}) {
  const authorization = digestHeader({ username, secret, nonce, method: 'GET', uri: path, ...change })
  return get(server, { authorization })
}

describe('a 401', () => {
  it('challenges with realm, nonce, algorithm, qop and stale', async () => {
    const server = await startChecked()
    const response = await get(server)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Digest realm="svc-admin", qop="auth", nonce="[\w-]+", algorithm=MD5, stale=false$/,
    )
  })

  it.each([
    '',
    'Basic eDp5',
    'Digest',
    'Digest x',
    'Bearer',
    'Token abc',
    'Digest username="a", username="b"',
    'Negotiate x',
  ])('is returned for the credentials %j', async (authorization) => {
    const server = await startChecked()
    expect((await get(server, { authorization })).status).toBe(401)
  })
})

describe('a rejected token', () => {
  it.each(['Bearer nobodys', 'bearer not a token'])(
    'is reported next to the Digest challenge, for %j',
    async (authorization) => {
      const server = await startChecked()
      const response = await get(server, { authorization })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(
        /^Digest realm="svc-admin", .+, stale=false, Bearer error="invalid_token"$/,
      )
    },
  )
})

describe('Digest', () => {
  it('is accepted with the right secret, and again with a higher count', async () => {
    const server = await startChecked()
    const nonce = await challenged(server)
    for (const count of [1, 2, 3]) expect((await attempt(server, nonce, { count })).status).toBe(200)
  })

  it('accepts counts out of order, each once', async () => {
    const server = await startChecked()
    const nonce = await challenged(server)
    for (const [count, status] of [
      [5, 200],
      [3, 200],
      [4, 200],
      [3, 401],
      [5, 401],
      [1, 200],
    ] as const) {
      expect((await attempt(server, nonce, { count })).status).toBe(status)
    }
  })

  it('rejects a repeated count without stale=true', async () => {
    const server = await startChecked()
    const nonce = await challenged(server)
    await attempt(server, nonce)
    expect((await attempt(server, nonce)).headers.get('www-authenticate')).toContain('stale=false')
  })

  it('sets stale=true for an expired nonce with a valid response', async () => {
    const server = await startChecked()
    const nonce = await challenged(server)
    await server.control('PUT', '/clock', { advanceSeconds: 300 })
    const stale = await attempt(server, nonce)
    expect([stale.status, stale.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('stale=true'),
    ])
    const fresh = nonceOf(stale.headers.get('www-authenticate'))
    expect((await attempt(server, fresh)).status).toBe(200)
  })

  // This test requires SQLite. On PostgreSQL, the server stores all valid nonces and never evicts any.
  it('sets stale=true for a live nonce that was evicted, with a valid response', async () => {
    const server = await startChecked()
    const nonce = await challenged(server)
    const now = await server.world.clock.now()
    for (let issued = 0; issued <= 10_000; issued += 1) {
      const use = { nonce: `other ${issued}`, count: 1, issuedAt: now, expiresAt: now + 300_000, now }
      await server.world.nonceUses.record(use)
    }
    const evicted = await attempt(server, nonce)
    expect(evicted.headers.get('www-authenticate')).toContain('stale=true')
    const wrong = await attempt(server, nonce, { secret: 'wrong' })
    expect(wrong.headers.get('www-authenticate')).toContain('stale=false')
  })

  it("doesn't set stale=true if the response is invalid", async () => {
    const server = await startChecked()
    const nonce = await challenged(server)
    await server.control('PUT', '/clock', { advanceSeconds: 300 })
    const refused = await attempt(server, nonce, { secret: 'wrong' })
    expect(refused.headers.get('www-authenticate')).toContain('stale=false')
  })

  it.each<[string, Partial<DigestParts>]>([
    ['a wrong secret', { secret: 'wrong' }],
    ['an unknown name', { username: 'nobody' }],
    ['another target', { uri: '/api/svc/v2/alertConfigs/matchers/fieldNames' }],
    ['another method', { method: 'DELETE' }],
    ['another realm', { realm: 'elsewhere' }],
    ['another qop', { qop: 'auth-int' }],
    ['another algorithm', { algorithm: 'SHA-256' }],
    ['no client nonce', { cnonce: '' }],
    ['the count zero', { count: 0 }],
  ])('rejects %s', async (_, change) => {
    const server = await startChecked()
    expect((await attempt(server, await challenged(server), change)).status).toBe(401)
  })

  it('rejects a name that is also sent in extended notation', async () => {
    const server = await startChecked()
    const header = digestHeader({
      username,
      secret,
      nonce: await challenged(server),
      method: 'GET',
      uri: path,
    })
    const twice = await get(server, { authorization: `${header}, username*=UTF-8''${username}` })
    expect(twice.status).toBe(401)
    expect((await get(server, { authorization: `${header}, userhash=false` })).status).toBe(200)
  })

  it('rejects a nonce that is forged, changed or from elsewhere', async () => {
    const server = await startChecked()
    const other = await startChecked()
    const nonce = await challenged(server)
    const changed = (nonce[0] === 'A' ? 'B' : 'A') + nonce.slice(1)
    for (const forged of ['x', changed, `${nonce}=`, `${nonce}A`, await challenged(other)]) {
      const refused = await attempt(server, forged)
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toContain('stale=false')
    }
  })

  it('accepts a target that a proxy changed to absolute form', async () => {
    const server = await startChecked()
    const uri = server.url + path
    expect((await attempt(server, await challenged(server), { uri })).status).toBe(200)
  })

  it('rejects a uri that only looks like an absolute form of the target', async () => {
    const server = await startChecked()
    const uri = `http://x?${path}`
    expect((await attempt(server, await challenged(server), { uri })).status).toBe(401)
  })

  it('works with curl', async () => {
    const server = await startChecked()
    const run = promisify(execFile)
    const args = [
      '-s',
      '--digest',
      '-u',
      `${username}:${secret}`,
      '-H',
      `Accept: ${newest}`,
      '-w',
      '%{http_code}',
    ]
    const urls = [server.url + path, `${server.url}${path}?pageNum=1&itemsPerPage=2`]
    for (const url of urls) {
      expect((await run('curl', [...args, url])).stdout).toMatch(/\}200$/)
    }
    const body = JSON.stringify({ eventTypeName: 'HOST_DOWN', notifications: [] })
    const post = ['-X', 'POST', '-H', `Content-Type: ${newest}`, '-d', body]
    const configs = `${server.url}/api/svc/v2/groups/${projectId}/alertConfigs`
    expect((await run('curl', [...args, ...post, configs])).stdout).toMatch(/\}200$/)
  })
})

describe('an access list', () => {
  it('rejects other networks despite valid credentials, before any other check', async () => {
    const server = await startChecked()
    const refused = await server.ask(`/groups/nonsense/alerts`, { as: 'netlimit' })
    expect(refused.body).toMatchObject({ error: 403, errorCode: 'IP_NOT_ALLOWED' })
  })
})

describe('secrets', () => {
  it('are in no table', async () => {
    const server = await startChecked()
    for (const table of ['api_keys', 'service_accounts'] as const) {
      const rows = await server.world.database.all(
        { build: (db) => db.selectFrom(table).selectAll(), compiled: new Map() },
        {},
      )
      expect(rows.length).toBeGreaterThan(10)
      expect(JSON.stringify(rows)).not.toMatch(/demo-01c7|svc_ss_/)
    }
  })

  it('are in no line of the log', async () => {
    const lines: string[] = []
    const server = await startChecked({ logLevel: 'debug', writeLog: (text) => lines.push(text) })
    await server.ask(`/groups/${projectId}/alerts?pretty=true`)
    const basic = Buffer.from('svc_sa_orgowner:svc_ss_demo01Qm3nJ7cT5pXh2dR8vKw01').toString('base64')
    await fetch(`${server.url}/api/oauth/token?access_token=hidden`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    await server.stop()
    const log = lines.join('')
    expect(log).toContain('"operationId":"listAlerts"')
    expect(log).toMatch(/"requestId":"[0-9a-f]{12}-\w+"/)
    for (const hidden of [secret, basic, 'svc_ss_', 'hidden', 'response=', 'svc_at_'])
      expect(log).not.toContain(hidden)
  })
})
