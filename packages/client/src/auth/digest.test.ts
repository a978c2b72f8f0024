import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createDigestServer, key } from '../../test/digest-server.ts'
import { context, path, rejection, setup, response as stubResponse } from '../../test/setup.ts'
import { AuthenticationError } from '../status-errors.ts'
import { hanging, withFaults } from '../testing/index.ts'
import { withDigest } from './digest.ts'

const server = () => createDigestServer(() => stubResponse({}))

describe('Digest', () => {
  test('takes N + 1 requests for N sequential calls', async () => {
    const { respond, accepted } = server()
    const { client, requests } = setup(respond, { credentials: key })
    for (let call = 0; call < 20; call++) await client.getAlert(path)
    expect(requests).toHaveLength(21)
    expect(accepted.at(-1)).toBe('nonce-1/00000014')
  })

  test.each([
    ['with the hash of the platform', process.getBuiltinModule('crypto')],
    ['without a hash of the platform', undefined],
    ['on a platform without the hash function', {}],
    ['if the platform does not allow MD5', { hash: () => expect.fail('unsupported') }],
  ])('is accepted %s', async (_, builtin) => {
    const { respond, accepted } = server()
    const lookUp = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(builtin)
    const { client } = setup(respond, { credentials: key })
    lookUp.mockRestore()
    await client.getAlert(path)
    expect(accepted).toEqual(['nonce-1/00000001'])
  })

  test('takes N + 1 requests for N parallel calls, with distinct counts', async () => {
    const { respond, accepted } = server()
    const { client, requests } = setup(respond, { credentials: key })
    await Promise.all(Array.from({ length: 100 }, () => client.getAlert(path)))
    expect(requests).toHaveLength(101)
    expect(new Set(accepted).size).toBe(100)
  })

  test('continues with the fresh nonce when the old one is stale', async () => {
    const digest = server()
    const { client, requests } = setup(digest.respond, { credentials: key })
    await client.getAlert(path)
    digest.expire()
    await client.getAlert(path)
    expect(requests).toHaveLength(4)
    expect(digest.accepted).toEqual(['nonce-1/00000001', 'nonce-2/00000001'])
  })

  test('opens one session when 100 parallel calls meet a stale nonce', async () => {
    const digest = server()
    const { client, requests } = setup(digest.respond, { credentials: key })
    await client.getAlert(path)
    digest.expire()
    await Promise.all(Array.from({ length: 100 }, () => client.getAlert(path)))
    expect(requests).toHaveLength(2 + 100 + 100)
    expect(digest.accepted.filter((use) => use.startsWith('nonce-2/'))).toHaveLength(100)
  })

  test.each([
    'Basic realm="api"',
    'Digest realm="api", nonce="n", algorithm=SHA-512-256',
    'Digest realm="api", nonce="n", qop="auth-int"',
    '',
  ])('explains a 401 without a challenge that it supports: %s', async (challenge) => {
    const headers = challenge ? { 'www-authenticate': challenge } : {}
    const respond = () => Response.json({ errorCode: 'UNAUTHORIZED', detail: 'no' }, { status: 401, headers })
    const { client, requests } = setup(respond, { credentials: key })
    const offered = challenge || 'missing'
    expect(await rejection(client.getAlert(path))).toMatchObject({
      name: 'AuthenticationError',
      detail: `expected Digest with MD5 or SHA-256 and qop auth, but was ${offered}`,
    })
    expect(requests).toHaveLength(1)
  })

  test('recovers when a server forgets a nonce without marking it as stale', async () => {
    const digest = server()
    const { client } = setup(digest.respond, { credentials: key })
    await client.getAlert(path)
    digest.expire({ stale: false })
    await client.getAlert(path)
    expect(digest.accepted).toHaveLength(2)
  })

  test('follows nextnonce and restarts the count at 1', async () => {
    const digest = server()
    const { client, requests } = setup(digest.respond, { credentials: key })
    digest.announce()
    await client.getAlert(path)
    await client.getAlert(path)
    expect(requests).toHaveLength(3)
    expect(digest.accepted).toEqual(['nonce-1/00000001', 'nonce-2/00000001'])
  })

  test('throws an AuthenticationError for a wrong key, after one attempt', async () => {
    const { client, requests } = setup(server().respond, { credentials: { ...key, privateKey: 'wrong' } })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(AuthenticationError)
    expect(requests).toHaveLength(2)
  })

  test('reads the key again after it was rejected', async () => {
    let current = { ...key, privateKey: 'old' }
    const { client } = setup(server().respond, { credentials: () => current })
    await rejection(client.getAlert(path))
    current = key
    expect(await client.getAlert(path)).toEqual({})
  })

  test('stops if a server only sends challenges', async () => {
    const digest = server()
    const { client, requests } = setup(
      (request) => {
        digest.expire()
        return digest.respond(request)
      },
      { credentials: key },
    )
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(AuthenticationError)
    expect(requests).toHaveLength(4)
  })

  test('sends no credentials before a challenge', async () => {
    const { client, requests } = setup(server().respond, { credentials: key })
    await client.getAlert(path)
    expect(requests.map(({ headers }) => headers.has('authorization'))).toEqual([false, true])
  })

  test('continues waiting calls when the call that requests the challenge is aborted', async () => {
    const digest = server()
    const { client, clock } = setup(withFaults([hanging()], digest.respond), { credentials: key })
    const controller = new AbortController()
    const first = rejection(client.getAlert(path, { signal: controller.signal }))
    const second = client.getAlert(path)
    await clock.advance(0)
    controller.abort(new Error('enough'))
    expect(await first).toEqual(new Error('enough'))
    expect(await second).toEqual({})
  })

  test('sends no credentials to another origin', async () => {
    const { client, requests } = setup(() => stubResponse({}), {
      credentials: { accessToken: 'secret' },
      middleware: [(request, next) => next({ ...request, url: 'https://elsewhere.example/x' })],
    })
    await client.getAlert(path)
    expect(requests[0]?.url.host).toBe('elsewhere.example')
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })
})

/** Creates a `Fetch` with Digest authentication. The test provides the responses one by one, in any order. */
function manualResponses() {
  const waiting: { readonly nonce: string | undefined; readonly respond: (response: Response) => void }[] = []
  const send = withDigest(
    ({ headers }) =>
      new Promise((resolve) => {
        const nonce = /nonce="([^"]*)"/.exec(headers.authorization ?? '')?.[1]
        waiting.push({ nonce, respond: resolve })
      }),
    async () => key,
  )
  const call = () =>
    send({
      method: 'GET',
      url: 'https://x.example/',
      headers: {},
      signal: new AbortController().signal,
      context: context(),
    })
  const unauthorized = (nonce: string, stale: boolean) =>
    new Response(null, {
      status: 401,
      headers: { 'www-authenticate': `Digest realm="r", qop="auth", nonce="${nonce}", stale=${stale}` },
    })
  const next = (nonce?: string) =>
    new Response('', { headers: nonce ? { 'authentication-info': `nextnonce="${nonce}"` } : {} })
  // Waits until all in-flight work is blocked, and returns the nonces of the requests that have no response yet.
  const nonces = async () => {
    await setImmediate()
    return waiting.map(({ nonce }) => nonce)
  }
  const respond = (at: number, response: Response) => waiting.splice(at, 1)[0]?.respond(response)
  return { call, unauthorized, next, nonces, respond }
}

describe('parallel responses for one nonce', () => {
  async function twoWith(first: string) {
    const manual = manualResponses()
    const calls = [manual.call()]
    await manual.nonces()
    manual.respond(0, manual.unauthorized(first, false))
    calls.push(manual.call())
    expect(await manual.nonces()).toEqual([first, first])
    return { ...manual, calls }
  }

  test('follow the first nextnonce', async () => {
    const { call, nonces, respond, next } = await twoWith('one')
    respond(0, next('two'))
    await nonces()
    respond(0, next('three'))
    await nonces()
    void call()
    expect(await nonces()).toEqual(['two'])
  })

  test('follow the first stale response, even if both arrive at the same time', async () => {
    const { nonces, respond, unauthorized } = await twoWith('one')
    respond(0, unauthorized('two', true))
    respond(0, unauthorized('three', true))
    expect(await nonces()).toEqual(['two', 'two'])
  })

  test('do not end a newer session when the key is rejected', async () => {
    const { call, nonces, respond, unauthorized, next, calls } = await twoWith('one')
    respond(0, next('two'))
    await nonces()
    respond(0, new Response(null, { status: 401 }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 401])
    void call()
    expect(await nonces()).toEqual(['two'])
    respond(0, unauthorized('three', true))
    expect(await nonces()).toEqual(['three'])
  })
})
