import { expect, test } from 'vitest'
import { exchange, type Identity, type Outgoing } from './exchange.ts'

const request: Outgoing = { method: 'GET', base: '', target: '/api/x', headers: { Accept: 'a/b' } }

/** Creates a server that returns the given responses in order and records the requests. */
function serverOf(...responses: Response[]) {
  const asked: { url: string; authorization: string | null; credentials: RequestInit['credentials'] }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push({
      url: String(input),
      authorization: new Headers(init?.headers).get('authorization'),
      credentials: init?.credentials,
    })
    const next = responses.shift()
    if (!next) throw new Error('asked too often')
    return next
  }
  return { asked, tools: { fetch, now: () => 0, cnonce: () => 'c', tokenPath: '/token' } }
}

const challenge = () =>
  new Response('', { status: 401, headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' } })

test('responds to a Digest challenge once', async () => {
  const identity: Identity = { kind: 'digest', publicKey: 'p', privateKey: 's' }
  const { asked, tools } = serverOf(challenge(), new Response('{}'))
  expect((await exchange(request, identity, tools)).status).toBe(200)
  expect(asked.map(({ authorization }) => authorization?.slice(0, 21))).toEqual([
    undefined,
    'Digest username="p", ',
  ])
})

test('shows a second challenge without responding', async () => {
  const identity: Identity = { kind: 'digest', publicKey: 'p', privateKey: 'wrong' }
  const { tools } = serverOf(challenge(), challenge())
  expect((await exchange(request, identity, tools)).status).toBe(401)
})

test('never triggers the browser password dialog', async () => {
  const identity: Identity = { kind: 'digest', publicKey: 'p', privateKey: 's' }
  const { asked, tools } = serverOf(challenge(), new Response('{}'))
  await exchange(request, identity, tools)
  expect(asked.map(({ credentials }) => credentials)).toEqual(['omit', 'omit'])
})

test('requests a token once and reuses it', async () => {
  const identity: Identity = { kind: 'token', clientId: 'once', clientSecret: 's' }
  const token = () => Response.json({ access_token: 't', expires_in: 3600 })
  const { asked, tools } = serverOf(token(), new Response('{}'), new Response('{}'))
  await exchange(request, identity, tools)
  await exchange(request, identity, tools)
  expect(asked.map(({ url, authorization }) => [url, authorization])).toEqual([
    ['/token', `Basic ${btoa('once:s')}`],
    ['/api/x', 'Bearer t'],
    ['/api/x', 'Bearer t'],
  ])
})

test('shows the error of the token endpoint', async () => {
  const identity: Identity = { kind: 'token', clientId: 'refused', clientSecret: 's' }
  const { tools } = serverOf(Response.json({ error: 'invalid_client' }, { status: 401 }))
  await expect(exchange(request, identity, tools)).rejects.toThrow('401 {"error":"invalid_client"}')
})
