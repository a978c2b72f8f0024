import { describe, expect, test } from 'vitest'
import { createDigestServer, key } from '../test/digest-server.ts'
import { response as answer, path, rejection, setup } from '../test/setup.ts'
import type { Credentials } from './auth/credentials.ts'
import { type Middleware, type PlatformFetch, withHeaders } from './fetch.ts'
import { unavailable, withFaults } from './testing/index.ts'

describe('middleware', () => {
  test('runs once for each attempt, the first one outermost', async () => {
    const seen: string[] = []
    const note =
      (name: string): Middleware =>
      async (request, next) => {
        seen.push(`${name} ${request.context.attempts}`)
        return next(request)
      }
    const respond = withFaults([unavailable()], () => answer({}))
    const { client, clock } = setup(respond, { middleware: [note('a'), note('b')] })
    await clock.settle(client.getAlert(path))
    expect(seen).toEqual(['a 1', 'b 1', 'a 2', 'b 2'])
  })

  test('may send again, answer by itself, and add headers', async () => {
    const { client, requests } = setup(() => answer({}), {
      middleware: [
        async (request, next) => {
          await next(request)
          return next(withHeaders(request, { 'x-second': 'yes' }))
        },
      ],
    })
    await client.getAlert(path)
    expect(requests.map(({ headers }) => headers.get('x-second'))).toEqual([null, 'yes'])
    const cached = setup(() => answer({}), { middleware: [async () => answer({ id: 'cached' })] })
    expect(await cached.client.getAlert(path)).toEqual({ id: 'cached' })
    expect(cached.requests).toHaveLength(0)
  })

  test('that reads the body, or gives nothing back, is a mistake and no broken connection', async () => {
    const reading: Middleware = async (request, next) => {
      const response = await next(request)
      await response.json()
      return response
    }
    const losing: Middleware = async (request, next) => Object(await next(request)).lost
    for (const middleware of [reading, losing]) {
      const { client, requests } = setup(() => answer({}), { middleware: [middleware] })
      const expected = new TypeError('getAlert: no unread answer from fetch or middleware')
      expect(await rejection(client.getAlert(path))).toEqual(expected)
      expect(requests).toHaveLength(1)
    }
  })

  test('sees neither credentials nor the challenge: authentication is inside of it', async () => {
    const seen: unknown[] = []
    const { respond } = createDigestServer(() => answer({}))
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

describe('what the platform cannot send', () => {
  const refused = async (headers: Record<string, string>, credentials?: Credentials) => {
    let calls = 0
    const fetch: PlatformFetch = (url, init) => {
      calls += 1
      return globalThis.fetch(url, init)
    }
    const { client } = setup(() => answer({}), { fetch, credentials })
    return { error: await rejection(client.getAlert(path, { headers })), calls }
  }

  test.each([[{ 'x-user': '日本' }], [{ 'x user': 'a' }], [{ 'x-user': 'a\nb' }]])(
    'is a TypeError that names the operation, and is not sent again: %j',
    async (headers) => {
      const { error, calls } = await refused(headers)
      expect(error).toBeInstanceOf(TypeError)
      expect(error).toMatchObject({ message: expect.stringMatching(/^getAlert: .*accept,x.user$/) })
      expect(calls).toBe(1)
    },
  )

  test.each<[Record<string, string>, Credentials?]>([
    [{}, { accessToken: 'hush\nhush' }],
    [{}, { accessToken: ' hush\r\nhush\r\n' }],
    [{ 'x-gateway-key': 'hush\nhush\n' }],
    [{ authorization: 'hush\nhush\n' }],
  ])('tells no secret: %j', async (headers, credentials) => {
    const { error } = await refused(headers, credentials)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toContain('hush')
  })

  test('is not a broken connection, which fetch tells by the same error', async () => {
    const { client, clock } = setup(() => {
      throw new TypeError('fetch failed')
    })
    expect(await clock.settle(rejection(client.getAlert(path)))).toMatchObject({
      name: 'NetworkError',
      attempts: 3,
    })
  })
})

test('the platform is told to follow no redirect, and to leave cookies and its own dialogues out of it', async () => {
  const inits: RequestInit[] = []
  const fetch: PlatformFetch = async (_, init) => {
    inits.push(init)
    return answer({})
  }
  const { client } = setup(() => answer({}), { fetch })
  await client.getAlert(path)
  expect(inits).toMatchObject([{ redirect: 'manual', credentials: 'omit' }])
})
