import { afterEach, describe, expect, test, vi } from 'vitest'
import { baseUrl, path, rejection, setup, response as stubResponse } from '../../test/setup.ts'
import { ParseError, TimeoutError } from '../errors.ts'
import { AuthenticationError, RateLimitError } from '../status-errors.ts'
import { hanging, type Responder, type StubRequest } from '../testing/index.ts'
import type { Token, TokenStore } from './token-source.ts'

const account = { clientId: 'mdb_sa_id', clientSecret: 'not-a-real-secret' }
const isToken = ({ url }: StubRequest): boolean => url.pathname.endsWith('/api/oauth/token')

/** Creates a server that issues `token-1`, `token-2` and so on, and rejects the tokens in `revoked`. */
function server(onToken?: Responder) {
  const revoked = new Set<string>()
  const state = { issued: 0, expiresIn: 3600 }
  const respond: Responder = (request) => {
    if (!isToken(request)) {
      const token = request.headers.get('authorization') ?? ''
      return revoked.has(token) ? Response.json({ error: 401 }, { status: 401 }) : stubResponse({ token })
    }
    if (onToken) return onToken(request)
    state.issued += 1
    return Response.json({
      access_token: `token-${state.issued}`,
      token_type: 'Bearer',
      expires_in: state.expiresIn,
    })
  }
  return { respond, revoked, state }
}

function tokenError(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error, error_description: 'no' }, { status, headers })
}

describe('OAuth', () => {
  test('requests one token (RFC 6749 §4.4) and sends it as a bearer token', async () => {
    const { client, requests } = setup(server().respond, { credentials: account })
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-1' })
    await client.getAlert(path)
    expect(requests).toHaveLength(3)
    const [token] = requests
    expect(token?.url.href).toBe(`${baseUrl}/api/oauth/token`)
    expect(token?.method).toBe('POST')
    expect(token?.body).toBe('grant_type=client_credentials')
    expect(token?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    expect(token?.headers.get('authorization')).toBe(`Basic ${btoa('mdb_sa_id:not-a-real-secret')}`)
  })

  test('sends one token request for 100 parallel first calls', async () => {
    const { respond, state } = server()
    const { client, requests } = setup(respond, { credentials: account })
    await Promise.all(Array.from({ length: 100 }, () => client.getAlert(path)))
    expect(state.issued).toBe(1)
    expect(requests).toHaveLength(101)
  })

  test('renews the token in the background 120 s before it expires, while calls use the old one', async () => {
    const { respond, state } = server()
    const { client, clock } = setup(respond, { credentials: account })
    await client.getAlert(path)
    await clock.advance(3_479_000)
    await client.getAlert(path)
    expect(state.issued).toBe(1)
    await clock.advance(2_000)
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-1' })
    await clock.advance(0)
    expect(state.issued).toBe(2)
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-2' })
  })

  test('waits for a new token 30 s before the old one expires', async () => {
    const { respond } = server()
    const { client, clock } = setup(respond, { credentials: account })
    await client.getAlert(path)
    await clock.advance(3_571_000)
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-2' })
  })

  test('continues with the old token, and pauses, when the background renewal fails', async () => {
    const failing = server((request) => {
      if (request.number === 1) return Response.json({ access_token: 'only', expires_in: 3600 })
      return tokenError(500, 'server_error')
    })
    const { client, clock, requests } = setup(failing.respond, { credentials: account })
    await client.getAlert(path)
    await clock.advance(3_500_000)
    for (let call = 0; call < 5; call++) {
      expect(await client.getAlert(path)).toEqual({ token: 'Bearer only' })
      await clock.advance(0)
    }
    expect(requests.filter(isToken)).toHaveLength(2)
  })

  test('does not renew a short-lived token with every call', async () => {
    const { respond, state } = server()
    state.expiresIn = 20
    const { client } = setup(respond, { credentials: account })
    for (let call = 0; call < 5; call++) await client.getAlert(path)
    expect(state.issued).toBe(1)
  })

  test('sends one token request after 100 parallel rejections', async () => {
    const { respond, revoked, state } = server()
    const { client } = setup(respond, { credentials: account })
    await client.getAlert(path)
    revoked.add('Bearer token-1')
    const responses = await Promise.all(Array.from({ length: 100 }, () => client.getAlert(path)))
    expect(state.issued).toBe(2)
    expect(responses.every((each) => JSON.stringify(each) === '{"token":"Bearer token-2"}')).toBe(true)
  })

  test('uses a token that another call has renewed', async () => {
    const { respond, revoked, state } = server()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { client } = setup(
      async (request) => {
        const response = await respond(request)
        if (request.url.searchParams.has('envelope')) await held
        return response
      },
      { credentials: account },
    )
    await client.getAlert(path)
    revoked.add('Bearer token-1')
    const late = client.getAlert({ ...path, envelope: true })
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-2' })
    release()
    expect(await late).toEqual({ token: 'Bearer token-2' })
    expect(state.issued).toBe(2)
  })

  test('returns a second 401', async () => {
    const { respond, revoked, state } = server()
    revoked.add('Bearer token-1').add('Bearer token-2')
    const { client } = setup(respond, { credentials: account })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(AuthenticationError)
    expect(state.issued).toBe(2)
  })

  test('sends nothing for a call that was aborted while it waited for a token', async () => {
    let give = (_: Response): void => {}
    const slow = server(() => new Promise<Response>((resolve) => (give = resolve)))
    const { client, clock, requests } = setup(slow.respond, { credentials: account })
    const controller = new AbortController()
    const call = rejection(client.getAlert(path, { signal: controller.signal }))
    await clock.advance(0)
    controller.abort(new Error('enough'))
    expect(await call).toEqual(new Error('enough'))
    give(Response.json({ access_token: 'late', expires_in: 3600 }))
    await clock.advance(0)
    expect(requests.filter((request) => !isToken(request))).toEqual([])
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer late' })
    expect(requests.filter(isToken)).toHaveLength(1)
  })

  test('does not follow redirects with the client secret', async () => {
    const redirecting = server(
      () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/' } }),
    )
    const { client, requests } = setup(redirecting.respond, { credentials: account })
    expect(await rejection(client.getAlert(path))).toMatchObject({ operationId: 'issueToken', status: 307 })
    expect(requests).toHaveLength(1)
  })
})

describe('the token endpoint', () => {
  test('gets no request until Retry-After has passed', async () => {
    const limited = server((request) =>
      request.number === 1
        ? tokenError(429, 'rate_limited', { 'retry-after': '7' })
        : Response.json({ access_token: 't', expires_in: 3600 }),
    )
    const { client, clock, requests } = setup(limited.respond, { credentials: account, random: () => 0 })
    const work = client.getAlert(path)
    await clock.advance(6_999)
    expect(requests).toHaveLength(1)
    await clock.advance(1)
    expect(await work).toEqual({ token: 'Bearer t' })
  })

  test('gets no further request when it requests a longer pause than the client may wait', async () => {
    const limited = server(() => tokenError(429, 'rate_limited', { 'retry-after': '61' }))
    const { client, requests } = setup(limited.respond, { credentials: account })
    for (let call = 0; call < 2; call++) {
      const error = await rejection(client.getAlert(path))
      expect(error).toBeInstanceOf(RateLimitError)
      expect(error).toMatchObject({ operationId: 'issueToken', retryAfterMs: 61_000 })
    }
    expect(requests).toHaveLength(1)
  })

  test('gets at most as many requests per minute as its limit allows', async () => {
    const { respond, revoked, state } = server()
    for (let number = 1; number <= 100; number++) revoked.add(`Bearer token-${number}`)
    const { client, clock } = setup(respond, { credentials: account, timeoutMs: 90_000 })
    for (let call = 0; call < 9; call++) await rejection(client.getAlert(path))
    const waiting = rejection(client.getAlert(path))
    await clock.advance(50_000)
    expect(state.issued).toBe(10)
    await clock.settle(waiting)
    expect(state.issued).toBe(11)
  })

  test.each([
    [400, 'invalid_grant'],
    [401, 'invalid_client'],
    [403, 'access_denied'],
  ])('causes an AuthenticationError with %i %s', async (status, error) => {
    const { client } = setup(server(() => tokenError(status, error)).respond, { credentials: account })
    const thrown = await rejection(client.getAlert(path))
    expect(thrown).toBeInstanceOf(AuthenticationError)
    expect(thrown).toMatchObject({ status, errorCode: error, operationId: 'issueToken' })
  })

  test('is retried for a POST too, because the call itself was not sent', async () => {
    const flaky = server((request) =>
      request.number === 1
        ? tokenError(500, 'server_error')
        : Response.json({ access_token: 't', expires_in: 3600 }),
    )
    const { client, clock, requests } = setup(flaky.respond, { credentials: account })
    const body = { eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', notifications: [] }
    await clock.settle(client.createAlertConfig({ groupId: path.groupId, body }))
    expect(requests.filter((request) => !isToken(request))).toHaveLength(1)
  })

  test('is retried even if the retry budget is empty', async () => {
    const flaky = server((request) =>
      request.number === 1
        ? tokenError(500, 'server_error')
        : Response.json({ access_token: 't', expires_in: 3600 }),
    )
    const retryBudget = { size: 0, ratio: 0 }
    const { client, clock } = setup(flaky.respond, { credentials: account, retryBudget })
    expect(await clock.settle(client.getAlert(path))).toEqual({ token: 'Bearer t' })
  })

  test('causes an error without the body if there is no token in its response', async () => {
    const { client } = setup(server(() => Response.json({ refresh_token: 'hush' })).respond, {
      credentials: account,
    })
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(ParseError)
    expect(String(error)).not.toContain('hush')
  })

  test('causes a TimeoutError if it sends no response', async () => {
    const { client, clock } = setup(server(hanging()).respond, {
      credentials: account,
      retry: { maxRetries: 0 },
    })
    expect(await clock.settle(rejection(client.getAlert(path)))).toBeInstanceOf(TimeoutError)
    await clock.advance(60_000)
    expect(clock.pending).toBe(0)
  })
})

describe('the token store', () => {
  function memory(): TokenStore & { readonly tokens: Map<string, Token> } {
    const tokens = new Map<string, Token>()
    return { tokens, get: (key) => tokens.get(key), set: (key, token) => void tokens.set(key, token) }
  }

  test('shares the token with a second client', async () => {
    const { respond, state } = server()
    const tokenStore = memory()
    await setup(respond, { credentials: account, tokenStore }).client.getAlert(path)
    await setup(respond, { credentials: account, tokenStore }).client.getAlert(path)
    expect(state.issued).toBe(1)
    expect([...tokenStore.tokens.keys()]).toEqual([`${baseUrl} mdb_sa_id`])
  })

  test('stores a separate token for each world of a server', async () => {
    const tokenStore = memory()
    const { respond, state } = server()
    for (const world of ['a', 'b', 'a/']) {
      const settings = { credentials: account, tokenStore, baseUrl: `${baseUrl}/worlds/${world}` }
      await setup(respond, settings).client.getAlert(path)
    }
    expect([...tokenStore.tokens.keys()]).toEqual(['a', 'b'].map((id) => `${baseUrl}/worlds/${id} mdb_sa_id`))
    expect(state.issued).toBe(2)
  })

  test('is read before a rejected token is replaced, because another process may have renewed it', async () => {
    const { respond, revoked, state } = server()
    const tokenStore = memory()
    const { client, clock } = setup(respond, { credentials: account, tokenStore })
    await client.getAlert(path)
    revoked.add('Bearer token-1')
    const now = clock.now()
    const key = `${baseUrl} mdb_sa_id`
    tokenStore.tokens.set(key, { accessToken: 'theirs', issuedAt: now, expiresAt: now + 3_600_000 })
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer theirs' })
    expect(state.issued).toBe(1)
  })

  test('returns a token that is about to expire, which is not used', async () => {
    const { respond, state } = server()
    const tokenStore = memory()
    const { client, clock } = setup(respond, { credentials: account, tokenStore })
    const now = clock.now()
    const old = { accessToken: 'old', issuedAt: now - 3_575_000, expiresAt: now + 25_000 }
    tokenStore.tokens.set(`${baseUrl} mdb_sa_id`, old)
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-1' })
    expect(state.issued).toBe(1)
  })

  test('does not return the rejected token', async () => {
    const { respond, revoked, state } = server()
    const tokenStore = memory()
    const { client } = setup(respond, { credentials: account, tokenStore })
    await client.getAlert(path)
    revoked.add('Bearer token-1')
    expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-2' })
    expect(state.issued).toBe(2)
    expect(tokenStore.tokens.get(`${baseUrl} mdb_sa_id`)?.accessToken).toBe('token-2')
  })
})

describe('a token store that fails', () => {
  const down = (): never => {
    throw new Error('the store is down')
  }
  const quiet = () => vi.spyOn(console, 'warn').mockReturnValue()
  afterEach(() => void vi.restoreAllMocks())

  test.each([
    ['to read', { get: down, set: () => undefined }],
    ['to write', { get: () => undefined, set: down }],
    ['later', { get: async () => down(), set: async () => down() }],
  ])('%s fails no call, and the token stays in memory', async (_, tokenStore) => {
    const warn = quiet()
    const { respond, state } = server()
    const { client } = setup(respond, { credentials: account, tokenStore })
    for (let call = 0; call < 3; call++)
      expect(await client.getAlert(path)).toEqual({ token: 'Bearer token-1' })
    expect(state.issued).toBe(1)
    expect(warn).toHaveBeenCalledWith('callback failed: Error: the store is down')
    expect(JSON.stringify(warn.mock.calls)).not.toContain('token-1')
  })

  test('does not hide errors of the credentials function', async () => {
    const tokenStore = { get: down, set: down }
    const credentials = async () => down()
    const { client } = setup(server().respond, { credentials, tokenStore })
    expect(await rejection(client.getAlert(path))).toEqual(new Error('the store is down'))
  })
})

test('calls a function that returns tokens for each request, and one that returns an account only once', async () => {
  let count = 0
  const tokens = setup(server().respond, { credentials: () => ({ accessToken: `given-${++count}` }) })
  for (const number of [1, 2]) {
    expect(await tokens.client.getAlert(path)).toEqual({ token: `Bearer given-${number}` })
  }
  const { respond, state } = server()
  const accounts = setup(respond, { credentials: async () => account })
  for (let call = 0; call < 3; call++) await accounts.client.getAlert(path)
  expect(state.issued).toBe(1)
})

test.each([undefined, null, 'soon', -1])(
  'a token with expires_in %j is used until it is refused',
  async (lifetime) => {
    let tokens = 0
    const { client, clock, requests } = setup(
      ({ url, headers }) => {
        if (url.pathname.startsWith('/api/oauth')) {
          return Response.json({ access_token: `t${++tokens}`, expires_in: lifetime })
        }
        return headers.get('authorization') === 'Bearer t1' && requests.length > 3
          ? Response.json({}, { status: 401 })
          : stubResponse({ id: 'a' })
      },
      { credentials: { clientId: 'id', clientSecret: 'not-a-real-secret' }, retry: { maxRetries: 0 } },
    )
    await client.getAlert(path)
    await clock.advance(86_400_000)
    await client.getAlert(path)
    expect(tokens).toBe(1)
    await client.getAlert(path)
    expect(tokens).toBe(2)
  },
)
