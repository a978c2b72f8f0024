import { expect, test } from 'vitest'
import type { Exchange, RawRequest } from './exchange.ts'
import { createUnauthenticatedProbes } from './unauthenticated-probes.ts'

const probe = (name: string): RawRequest => {
  const [method = '', path = '', accept = ''] = name.split(' ')
  return { method, path, headers: [['Accept', accept]] }
}

/** Creates probes and a server that returns the given status for each request. Records the requests. */
const house = (
  statuses: Readonly<Record<string, number>>,
  headersOf: (name: string) => Exchange['response']['headers'] = () => [],
) => {
  const probed: string[] = []
  const [first = 'GET /none', ...others] = Object.keys(statuses)
  const unauthenticatedProbes = createUnauthenticatedProbes([probe(first), ...others.map(probe)])
  const send = async (request: RawRequest): Promise<Exchange> => {
    const name = [request.method, request.path, request.headers[0]?.[1]].filter(Boolean).join(' ')
    probed.push(name)
    const status = statuses[name] ?? 0
    const response = { status, reason: '', headers: headersOf(name), body: '' }
    return { url: '', request, response, milliseconds: 0 }
  }
  const findChallenge = async (): Promise<string> => {
    const { request, response } = await unauthenticatedProbes.findChallenge(send)
    return `${request.method} ${request.path} ${response.status}`
  }
  return { unauthenticatedProbes, findChallenge, probed }
}

test('sends only the first request if its resource exists', async () => {
  for (const status of [401, 200, 500]) {
    const { findChallenge, probed } = house({ 'GET /a': status, 'GET /b': 401 })
    expect(await findChallenge()).toBe(`GET /a ${status}`)
    expect(probed).toEqual(['GET /a'])
  }
})

test("if the resource doesn't exist, uses the next request that returns a challenge, and keeps it", async () => {
  for (const status of [404, 405, 406, 410, 501]) {
    const { unauthenticatedProbes, findChallenge, probed } = house({
      'GET /a': status,
      'GET /b': 200,
      'POST /c': 401,
      'GET /d': 401,
    })
    expect(await findChallenge()).toBe('POST /c 401')
    expect(await findChallenge()).toBe('POST /c 401')
    expect(probed).toEqual(['GET /a', 'GET /b', 'POST /c', 'POST /c'])
    expect(unauthenticatedProbes.current().path).toBe('/c')
  }
})

test('distinguishes methods and versions of the same path', async () => {
  const { findChallenge } = house({ 'GET /a': 405, 'POST /a': 401 })
  expect(await Promise.all([findChallenge(), findChallenge()])).toEqual(['POST /a 401', 'POST /a 401'])
  const versions = house({ 'GET /a new': 406, 'GET /a old': 401 })
  expect(await Promise.all([versions.findChallenge(), versions.findChallenge()])).toEqual([
    'GET /a 401',
    'GET /a 401',
  ])
})

test('parallel callers share one search, and each gets its own challenge', async () => {
  const { findChallenge, probed } = house({ 'GET /a': 404, 'GET /b': 404, 'GET /c': 401 })
  await Promise.all([findChallenge(), findChallenge()])
  expect(probed.filter((name) => name === 'GET /b')).toHaveLength(1)
  expect(probed.filter((name) => name === 'GET /c')).toHaveLength(2)
})

test('uses the first request if none has a resource, and does not search again', async () => {
  const { findChallenge, probed } = house({ 'GET /a': 404, 'GET /b': 404 })
  expect([await findChallenge(), await findChallenge()]).toEqual(['GET /a 404', 'GET /a 404'])
  expect(probed).toEqual(['GET /a', 'GET /b', 'GET /a'])
})

test('a challenge proves that the resource exists, regardless of the status', async () => {
  const { findChallenge, probed } = house({ 'GET /a': 404, 'GET /b': 401 }, (name) =>
    name === 'GET /a' ? [['WWW-Authenticate', 'Digest']] : [],
  )
  expect(await findChallenge()).toBe('GET /a 404')
  expect(probed).toEqual(['GET /a'])
})

test('searches again after a failed search', async () => {
  let failures = 1
  const { findChallenge } = house({ 'GET /a': 404, 'GET /b': 401 }, (name) => {
    if (name === 'GET /b' && failures > 0) {
      failures -= 1
      throw new Error('unreachable')
    }
    return []
  })
  await expect(findChallenge()).rejects.toThrow('unreachable')
  expect(await findChallenge()).toBe('GET /b 401')
})
