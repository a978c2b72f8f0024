import { expect, test } from 'vitest'
import type { Exchange, RawRequest, RawResponse } from './exchange.ts'
import { headerValue } from './exchange.ts'
import { createSecrets } from './secrets.ts'
import { createHttpSession, type HttpSessionOptions } from './session.ts'
import type { Transport } from './transport.ts'
import { createUnauthenticatedProbes } from './unauthenticated-probes.ts'

const challengedBy: RawRequest = { method: 'GET', path: '/challenge', headers: [] }
const key = { publicKey: 'me', privateKey: 'my-private-key' }
const account = { clientId: 'svc', clientSecret: 'svc-client-secret' }
const request: RawRequest = { method: 'GET', path: '/thing', headers: [] }

const answer = (status: number, headers: RawResponse['headers'] = [], body = ''): RawResponse => ({
  status,
  reason: '',
  headers,
  body,
})

const challenge = (nonce: string, stale = false): RawResponse =>
  answer(401, [
    ['WWW-Authenticate', `Digest realm="r", nonce="${nonce}", qop="auth", algorithm=MD5, stale=${stale}`],
  ])

/** Creates a session with a function as its server. */
const sessionOver = (
  server: (request: RawRequest, count: number) => RawResponse,
  more: Partial<HttpSessionOptions> = {},
) => {
  const sent: RawRequest[] = []
  const waited: number[] = []
  const turns: number[] = []
  const transport: Transport = {
    baseUrl: 'http://x',
    prefix: '/base',
    close: () => {},
    send: async (request): Promise<Exchange> => {
      sent.push(request)
      return { url: '', request, response: server(request, sent.length), milliseconds: 0 }
    },
  }
  const secrets = createSecrets()
  const session = createHttpSession({
    transport,
    secrets,
    pace: { turn: async () => void turns.push(sent.length), slower: () => {} },
    unauthenticatedProbes: createUnauthenticatedProbes([challengedBy]),
    tokenPath: '/token',
    now: () => 0,
    wait: async (seconds) => {
      waited.push(seconds)
    },
    ...more,
  })
  return { session, sent, waited, turns, secrets }
}

const authorization = (one: RawRequest | undefined): string =>
  headerValue(one?.headers ?? [], 'Authorization') ?? ''

test('uses one challenge many times, with a higher count each time', async () => {
  const { session, sent } = sessionOver(({ path }) => (path === '/challenge' ? challenge('n1') : answer(200)))
  await session.send(request, { kind: 'digest', key })
  await session.send(request, { kind: 'digest', key })
  expect(sent.map(({ path }) => path)).toEqual(['/challenge', '/thing', '/thing'])
  expect(authorization(sent[1])).toContain('nc=00000001')
  expect(authorization(sent[2])).toContain('nc=00000002')
  expect(authorization(sent[1])).toContain('uri="/base/thing"')
})

test('gives a nonce to one request at a time', async () => {
  const { session, sent } = sessionOver(({ path }, count) =>
    path === '/challenge' ? challenge(`n${count}`) : answer(200),
  )
  await Promise.all([
    session.send(request, { kind: 'digest', key }),
    session.send(request, { kind: 'digest', key }),
  ])
  const nonces = sent.map(authorization).flatMap((value) => /nonce="(\w+)"/.exec(value)?.[1] ?? [])
  expect(new Set(nonces).size).toBe(2)
})

test('requests a new challenge when the nonce is stale', async () => {
  const { session, sent } = sessionOver(({ path }, count) => {
    if (path === '/challenge') return challenge(`n${count}`)
    return count === 2 ? challenge('other', true) : answer(200)
  })
  const { response } = await session.send(request, { kind: 'digest', key })
  expect(response.status).toBe(200)
  expect(sent).toHaveLength(4)
})

test('increases the count when a request is sent again, because the first one may have been read', async () => {
  const sent: RawRequest[] = []
  const { session } = sessionOver(({ path }) => (path === '/challenge' ? challenge('n1') : answer(200)), {
    transport: {
      baseUrl: 'http://x',
      prefix: '/base',
      close: () => {},
      async send(request, recreate) {
        const last = request.path === '/challenge' ? request : (recreate?.() ?? request)
        sent.push(last)
        const response = last.path === '/challenge' ? challenge('n1') : answer(200)
        return { url: '', request: last, response, milliseconds: 0 }
      },
    },
  })
  await session.send(request, { kind: 'digest', key })
  await session.send(request, { kind: 'digest', key })
  expect(sent.slice(1).map((one) => /nc=\w+/.exec(authorization(one))?.[0])).toEqual([
    'nc=00000002',
    'nc=00000004',
  ])
  const [first, second] = sent.slice(1).map((one) => /response="(\w+)"/.exec(authorization(one))?.[1])
  expect(first).not.toBe(second)
})

test('modifies the Digest input once', async () => {
  const { session, sent } = sessionOver(({ path }) => (path === '/challenge' ? challenge('n1') : answer(401)))
  await session.send(request, { kind: 'digest', key, spoil: (input) => ({ ...input, username: 'other' }) })
  expect(authorization(sent[1])).toContain('username="other"')
  expect(sent).toHaveLength(2)
})

test('requests one token and keeps it secret', async () => {
  const { session, sent, secrets } = sessionOver(({ path }) =>
    path === '/token' ? answer(200, [], '{"access_token":"token-of-the-run"}') : answer(200),
  )
  await session.send(request, { kind: 'bearer', account })
  await session.send(request, { kind: 'bearer', account })
  expect(sent.map(({ path }) => path)).toEqual(['/token', '/thing', '/thing'])
  expect(authorization(sent[2])).toBe('Bearer token-of-the-run')
  expect(secrets.within('token-of-the-run')).toHaveLength(1)
})

test.each([
  [5, 2],
  [3600, 3569],
])('a token of %i seconds is used for %i of them, and then renewed once', async (seconds, used) => {
  let now = 1_000_000
  let issued = 0
  const { session, sent } = sessionOver(
    ({ path }) => {
      if (path !== '/token') return answer(200)
      issued += 1
      return answer(200, [], JSON.stringify({ access_token: `token-${issued}`, expires_in: seconds }))
    },
    { targetNow: () => now },
  )
  const send = () => session.send(request, { kind: 'bearer', account })
  await send()
  now += used * 1000
  await send()
  now += 1000
  await Promise.all([send(), send()])
  expect(sent.map(authorization).filter((value) => value.startsWith('Bearer'))).toEqual([
    ...['Bearer token-1', 'Bearer token-1'],
    ...['Bearer token-2', 'Bearer token-2'],
  ])
  expect(issued).toBe(2)
})

test('waits as long as a 429 asks, and uses a new nonce count afterwards', async () => {
  const { session, sent, waited } = sessionOver(({ path }, count) => {
    if (path === '/challenge') return challenge('n1')
    return count === 2 ? answer(429, [['Retry-After', '7']]) : answer(200)
  })
  const { response } = await session.send(request, { kind: 'digest', key })
  expect(response.status).toBe(200)
  expect(waited).toEqual([7])
  expect(session.waits()).toBe(1)
  expect(authorization(sent[2])).toContain('nc=00000002')
})

test('returns a 429 if requested', async () => {
  const { session, waited } = sessionOver(() => answer(429, [['Retry-After', '7']]))
  const { response } = await session.send(request, { kind: 'none' }, { returnRateLimited: true })
  expect(response.status).toBe(429)
  expect(session.waits()).toBe(0)
  expect(waited).toEqual([])
})

test('throws if there is no challenge', async () => {
  const { session } = sessionOver(() => answer(200))
  await expect(session.send(request, { kind: 'digest', key })).rejects.toMatchObject({
    name: 'NoCredentials',
  })
})

test('throws for a challenge without MD5', async () => {
  const other = answer(401, [
    ['WWW-Authenticate', 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256'],
  ])
  const { session, sent } = sessionOver(() => other)
  await expect(session.send(request, { kind: 'digest', key })).rejects.toThrow(
    /MD5 \(the target only offers SHA-256\)/,
  )
  expect(sent.map(({ path }) => path)).toEqual(['/challenge'])
})

test('limits the rate of all requests, including those for challenges and tokens', async () => {
  const { session, sent, turns } = sessionOver(({ path }) => {
    if (path === '/challenge') return challenge('n1')
    return path === '/token' ? answer(200, [], '{"access_token":"t"}') : answer(200)
  })
  await session.send(request, { kind: 'digest', key })
  await session.send(request, { kind: 'digest', key, spoil: (input) => input })
  await session.send(request, { kind: 'bearer', account })
  await session.send(request, { kind: 'none' })
  await session.send(request, { kind: 'basic', account, genuine: true })
  expect(sent.length).toBeGreaterThan(6)
  expect(turns).toEqual(sent.map((_, index) => index))
})

test.each(['/challenge', '/token'])('waits as long as %s asks', async (asking) => {
  const { session, waited } = sessionOver(({ path }, count) => {
    if (path === asking && count === 1) return answer(429, [['Retry-After', '5']])
    if (path === '/challenge') return challenge('n1')
    return path === '/token' ? answer(200, [], '{"access_token":"t"}') : answer(200)
  })
  const as = asking === '/token' ? ({ kind: 'bearer', account } as const) : ({ kind: 'digest', key } as const)
  expect((await session.send(request, as)).response.status).toBe(200)
  expect(waited).toEqual([5])
})

test("the API's clock says nothing about the token endpoint's limit", async () => {
  const moved: number[] = []
  const waited: number[] = []
  const { session } = sessionOver(
    ({ path }) => {
      const passed = path === '/token' ? moved.splice(0) : waited.splice(0)
      return passed.length === 0 ? answer(429, [['Retry-After', '7']]) : answer(200)
    },
    {
      wait: async (seconds) => void waited.push(seconds),
      moveClock: async (seconds) => void moved.push(seconds),
    },
  )
  for (let times = 1; times <= 5; times += 1) await session.send(request, { kind: 'none' })
  moved.length = 0
  const { response } = await session.send({ ...request, path: '/token?pretty=true' }, { kind: 'none' })
  expect([response.status, waited]).toEqual([200, []])
})
