import { describe, expect, test } from 'vitest'
import { createDigestServer, key } from '../../test/digest-server.ts'
import { answer, path, rejection, setup } from '../../test/setup.ts'
import { AuthenticationError } from '../status-errors.ts'
import { hanging, withFaults } from '../testing/index.ts'

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
