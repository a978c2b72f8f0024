import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createDigestServer, key } from '../../test/digest-server.ts'
import { response as answer, context, path, rejection, setup } from '../../test/setup.ts'
import { AuthenticationError } from '../status-errors.ts'
import { hanging, withFaults } from '../testing/index.ts'
import { withDigest } from './digest.ts'

const server = () => createDigestServer(() => answer({}))

describe('Digest', () => {
  test('takes N + 1 requests for N calls, one after the other', async () => {
    const { respond, accepted } = server()
    const { client, requests } = setup(respond, { credentials: key })
    for (let call = 0; call < 20; call++) await client.getAlert(path)
    expect(requests).toHaveLength(21)
    expect(accepted.at(-1)).toBe('nonce-1/00000014')
  })

  test('takes N + 1 requests for N parallel calls, each with a count of its own', async () => {
    const { respond, accepted } = server()
    const { client, requests } = setup(respond, { credentials: key })
    await Promise.all(Array.from({ length: 100 }, () => client.getAlert(path)))
    expect(requests).toHaveLength(101)
    expect(new Set(accepted).size).toBe(100)
  })

  test('goes on with the fresh nonce when the old one is stale', async () => {
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

  test('bears a server that forgets a nonce without saying that it is stale', async () => {
    const digest = server()
    const { client } = setup(digest.respond, { credentials: key })
    await client.getAlert(path)
    digest.expire({ stale: false })
    await client.getAlert(path)
    expect(digest.accepted).toHaveLength(2)
  })

  test('follows nextnonce, and counts from one again', async () => {
    const digest = server()
    const { client, requests } = setup(digest.respond, { credentials: key })
    digest.announce()
    await client.getAlert(path)
    await client.getAlert(path)
    expect(requests).toHaveLength(3)
    expect(digest.accepted).toEqual(['nonce-1/00000001', 'nonce-2/00000001'])
  })

  test('throws an AuthenticationError for a wrong key, after one attempt with it', async () => {
    const { client, requests } = setup(server().respond, { credentials: { ...key, privateKey: 'wrong' } })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(AuthenticationError)
    expect(requests).toHaveLength(2)
  })

  test('asks for the key again after a refusal, so that it can be replaced', async () => {
    let current = { ...key, privateKey: 'old' }
    const { client } = setup(server().respond, { credentials: () => current })
    await rejection(client.getAlert(path))
    current = key
    expect(await client.getAlert(path)).toEqual({})
  })

  test('gives up on a server that only challenges', async () => {
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

  test('sends nothing secret before it was asked', async () => {
    const { client, requests } = setup(server().respond, { credentials: key })
    await client.getAlert(path)
    expect(requests.map(({ headers }) => headers.has('authorization'))).toEqual([false, true])
  })

  test('lets the waiting calls go on when the one that asks for the challenge is aborted', async () => {
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

  test('does not leave the origin of the client', async () => {
    const { client, requests } = setup(() => answer({}), {
      credentials: { accessToken: 'secret' },
      middleware: [(request, next) => next({ ...request, url: 'https://elsewhere.example/x' })],
    })
    await client.getAlert(path)
    expect(requests[0]?.url.host).toBe('elsewhere.example')
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })
})

/** A `Fetch` with Digest whose answers are given one by one, in any order. */
function byHand() {
  const waiting: { readonly nonce: string | undefined; readonly give: (response: Response) => void }[] = []
  const send = withDigest(
    ({ headers }) =>
      new Promise((resolve) => {
        const nonce = /nonce="([^"]*)"/.exec(headers.authorization ?? '')?.[1]
        waiting.push({ nonce, give: resolve })
      }),
    async () => key,
  )
  const call = () =>
    send({
      ...{ method: 'GET', url: 'https://x.example/', headers: {}, signal: new AbortController().signal },
      context: context(),
    })
  const refusal = (nonce: string, stale: boolean) =>
    new Response(null, {
      status: 401,
      headers: { 'www-authenticate': `Digest realm="r", qop="auth", nonce="${nonce}", stale=${stale}` },
    })
  const next = (nonce?: string) =>
    new Response('', { headers: nonce ? { 'authentication-info': `nextnonce="${nonce}"` } : {} })
  /** Lets what is under way go as far as it can, and tells which nonces wait for an answer. */
  const nonces = async () => {
    await setImmediate()
    return waiting.map(({ nonce }) => nonce)
  }
  const give = (at: number, response: Response) => waiting.splice(at, 1)[0]?.give(response)
  return { call, refusal, next, nonces, give }
}

describe('of parallel answers about one nonce', () => {
  async function twoWith(first: string) {
    const hand = byHand()
    const calls = [hand.call()]
    await hand.nonces()
    hand.give(0, hand.refusal(first, false))
    calls.push(hand.call())
    expect(await hand.nonces()).toEqual([first, first])
    return { ...hand, calls }
  }

  test('the first that announces another is followed', async () => {
    const { call, nonces, give, next } = await twoWith('one')
    give(0, next('two'))
    await nonces()
    give(0, next('three'))
    await nonces()
    void call()
    expect(await nonces()).toEqual(['two'])
  })

  test('the first that calls it stale is followed, also where both come at once', async () => {
    const { nonces, give, refusal } = await twoWith('one')
    give(0, refusal('two', true))
    give(0, refusal('three', true))
    expect(await nonces()).toEqual(['two', 'two'])
  })

  test('one that refuses the key does not end what has begun with another since', async () => {
    const { call, nonces, give, refusal, next, calls } = await twoWith('one')
    give(0, next('two'))
    await nonces()
    give(0, new Response(null, { status: 401 }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 401])
    void call()
    expect(await nonces()).toEqual(['two'])
    give(0, refusal('three', true))
    expect(await nonces()).toEqual(['three'])
  })
})
