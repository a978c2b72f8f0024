import { describe, expect, test } from 'vitest'
import { createDigestServer, key } from '../test/digest-server.ts'
import { path, rejection, setup, response as stubResponse } from '../test/setup.ts'
import type { Credentials } from './auth/credentials.ts'
import { type Middleware, type PlatformFetch, withHeaders } from './fetch.ts'
import { unavailable, withFaults } from './testing/index.ts'

describe('middleware', () => {
  test('runs once per attempt, the first one outermost', async () => {
    const seen: string[] = []
    const note =
      (name: string): Middleware =>
      async (request, next) => {
        seen.push(`${name} ${request.context.attempts}`)
        return next(request)
      }
    const respond = withFaults([unavailable()], () => stubResponse({}))
    const { client, clock } = setup(respond, { middleware: [note('a'), note('b')] })
    await clock.settle(client.getAlert(path))
    expect(seen).toEqual(['a 1', 'b 1', 'a 2', 'b 2'])
  })

  test('may retry, return its own response, and add headers', async () => {
    const { client, requests } = setup(() => stubResponse({}), {
      middleware: [
        async (request, next) => {
          await next(request)
          return next(withHeaders(request, { 'x-second': 'yes' }))
        },
      ],
    })
    await client.getAlert(path)
    expect(requests.map(({ headers }) => headers.get('x-second'))).toEqual([null, 'yes'])
    const cached = setup(() => stubResponse({}), { middleware: [async () => stubResponse({ id: 'cached' })] })
    expect(await cached.client.getAlert(path)).toEqual({ id: 'cached' })
    expect(cached.requests).toHaveLength(0)
  })

  test('causes a TypeError if it reads the body or returns no response', async () => {
    const reading: Middleware = async (request, next) => {
      const response = await next(request)
      await response.json()
      return response
    }
    const losing: Middleware = async (request, next) => Object(await next(request)).lost
    // Mocks often look like this.
    const mocking: Middleware = async (request, next) => {
      await next(request)
      return { ok: true, status: 200, json: async () => ({}) } as Response
    }
    for (const middleware of [reading, losing, mocking]) {
      const { client, requests } = setup(() => stubResponse({}), { middleware: [middleware] })
      const expected = new TypeError('getAlert: no readable response')
      expect(await rejection(client.getAlert(path))).toEqual(expected)
      expect(requests).toHaveLength(1)
    }
  })

  test('sees neither credentials nor challenges', async () => {
    const seen: unknown[] = []
    const { respond } = createDigestServer(() => stubResponse({}))
    const { client } = setup(respond, {
      credentials: key,
      middleware: [
        async (request, next) => {
          const response = await next(request)
          seen.push([request.headers.authorization, response.status])
          return response
        },
      ],
    })
    await client.getAlert(path)
    expect(seen).toEqual([[undefined, 200]])
  })
})

describe('a request that the platform cannot send', () => {
  const rejected = async (headers: Record<string, string>, credentials?: Credentials) => {
    let calls = 0
    const fetch: PlatformFetch = (url, init) => {
      calls += 1
      return globalThis.fetch(url, init)
    }
    const { client } = setup(() => stubResponse({}), { fetch, credentials })
    return { error: await rejection(client.getAlert(path, { headers })), calls }
  }

  test.each([[{ 'x-user': '日本' }], [{ 'x user': 'a' }], [{ 'x-user': 'a\nb' }]])(
    'is a TypeError that names the operation, and is not retried: %j',
    async (headers) => {
      const { error, calls } = await rejected(headers)
      expect(error).toBeInstanceOf(TypeError)
      expect(error).toMatchObject({
        message: expect.stringMatching(/^getAlert: .*accept,user-agent,x.user$/),
      })
      expect(calls).toBe(1)
    },
  )

  test.each<[Record<string, string>, Credentials?]>([
    [{}, { accessToken: 'hush\nhush' }],
    [{}, { accessToken: ' hush\r\nhush\r\n' }],
    [{ 'x-gateway-key': 'hush\nhush\n' }],
    [{ authorization: 'hush\nhush\n' }],
  ])('exposes no secret: %j', async (headers, credentials) => {
    const { error } = await rejected(headers, credentials)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toContain('hush')
  })

  test('differs from a broken connection, for which fetch throws the same error', async () => {
    const { client, clock } = setup(() => {
      throw new TypeError('fetch failed')
    })
    expect(await clock.settle(rejection(client.getAlert(path)))).toMatchObject({
      name: 'NetworkError',
      attempts: 3,
    })
  })
})

test('disables redirects, cookies and login dialogs of the platform', async () => {
  const inits: RequestInit[] = []
  const fetch: PlatformFetch = async (_, init) => {
    inits.push(init)
    return stubResponse({})
  }
  const { client } = setup(() => stubResponse({}), { fetch })
  await client.getAlert(path)
  expect(inits).toMatchObject([{ redirect: 'manual', credentials: 'omit' }])
})
