import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadApi } from './engine/api.ts'
import { challengedBy, openKit } from './kit.ts'
import type { Target } from './target/target.ts'

const groupId = '64b7e1c20f3a5d6e7f809101'
const apiKey = { publicKey: 'key', privateKey: '5f1d8b0e-4c3a-4f5e-9a67-0b2d1c9e8f31' }

const api = loadApi()
const targetAt = (baseUrl: string): Target => ({
  baseUrl,
  things: { groupId },
  roles: { PROJECT_OWNER: { apiKey } },
})

let headers: Record<string, string> = {}
/** What a server does that lets everybody in and does whatever it is asked for. */
let obedient = false
let asked: string[] = []
const server = createServer(({ method, url, headers: { authorization } }, response) => {
  asked.push(`${method} ${url?.split('?')[0]}`)
  if (!obedient) response.writeHead(404, { 'Content-Type': 'text/plain', ...headers }).end('nothing here')
  else if (authorization === undefined) response.writeHead(401, challenge).end()
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"results":[],"totalCount":0}')
})
const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=SHA-256' }
let baseUrl = ''
beforeEach(async () => {
  headers = {}
  obedient = false
  asked = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

test('the first request is one of what is tried, and has no name missing in its path', () => {
  for (const area of new Set(api.cells.map(({ operation }) => operation.area))) {
    const tried = api.cells.filter(({ operation }) => operation.area === area)
    const { path } = challengedBy(api, targetAt('http://127.0.0.1'), tried)
    expect(path).not.toContain('//')
    const readable = tried.some(
      ({ operation }) =>
        operation.method === 'GET' &&
        operation.security === 'api' &&
        operation.pathParameters.every((name) => name === 'groupId'),
    )
    const ofArea = tried.some(({ operation, version }) => {
      const template = operation.path.replace('{groupId}', groupId)
      return path === (operation.absolute ? template : version.prefix + template)
    })
    expect([area, ofArea]).toEqual([area, readable])
  }
})

test('a server that answers 404 to everything is judged, not given up', async () => {
  const kit = await openKit({ target: targetAt(baseUrl), selection: { operations: ['listAlerts'] } })
  const { results } = await kit.run()
  const refused = results.filter(({ requirement }) => requirement === 'auth.no-credentials-refused')
  expect(new Set(refused.map(({ verdict }) => verdict))).toEqual(new Set(['WARN']))
  expect(results.some(({ verdict }) => verdict === 'FAIL')).toBe(true)
  const lacks = results.flatMap(({ reason = '' }) => reason)
  expect(lacks).toContain(
    `a Digest challenge (GET ${baseUrl}/api/svc/v2/groups/${groupId}/alerts without credentials got 404)`,
  )
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
})

test('a read-only run sends nothing that could change something, whoever would be let to', async () => {
  obedient = true
  const serviceAccount = { clientId: 'svc_sa_1', clientSecret: 'svc_ss_1' }
  const roles = {
    PROJECT_OWNER: { apiKey, serviceAccount },
    PROJECT_READ_ONLY: { apiKey: { ...apiKey, publicKey: 'reader' } },
  }
  const kit = await openKit({
    target: { ...targetAt(baseUrl), roles, readOnly: true, foreign: { groupId: '64b7e1c20f3a5d6e7f809199' } },
    selection: { smoke: true },
  })
  const { results } = await kit.run()
  const others = new Set(asked.filter((one) => !/^(GET|HEAD|OPTIONS|TRACE) /.test(one)))
  expect(others).toEqual(new Set(['POST /api/oauth/token']))
  expect(asked.some((one) => one.startsWith('GET '))).toBe(true)
  expect(results.some(({ verdict }) => verdict === 'FAIL')).toBe(true)
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
})

test('the time of a target is the one that its answers are dated with', async () => {
  headers = { Date: 'Wed, 01 Jan 2031 12:00:00 GMT' }
  const kit = await openKit({ target: targetAt(baseUrl), selection: { operations: ['listAlerts'] } })
  const now = await kit.world.prerequisites.now()
  kit.close()
  expect(new Date(now).toISOString()).toMatch(/^2031-01-01T12:0/)
})

/** A kit on the server, and how long it slept: nobody else's clock goes on meanwhile. */
const sleeping = async (target: Target, answer: (count: number) => [number, Record<string, string>]) => {
  let count = 0
  server.removeAllListeners('request').on('request', (_, response) => {
    count += 1
    const [status, headers] = answer(count)
    response.writeHead(status, headers).end('{}')
  })
  const slept: number[] = []
  const waiting = {
    now: () => 0,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds)
    },
  }
  const selection = { operations: ['listMatcherFieldNames'], requirements: ['auth.no-credentials-refused'] }
  const kit = await openKit({ target, selection, waiting })
  const { results } = await kit.run()
  return { results, slept, count }
}

test('no more requests are sent than the target allows in a second', async () => {
  const { slept, count } = await sleeping({ ...targetAt(baseUrl), requestsPerSecond: 4 }, () => [404, {}])
  // The first goes at once, and each of the others a quarter of a second after the one before. One more asks whether
  // anybody is there.
  expect(count).toBeGreaterThan(2)
  expect(slept.slice(0, 2)).toEqual([250, 500])
  expect(slept).toHaveLength(count - 2)
})

test('a target that asks for patience is given it, and asked again', async () => {
  const { results, slept } = await sleeping(targetAt(baseUrl), (count) =>
    count === 2 ? [429, { 'Retry-After': '7' }] : [404, {}],
  )
  expect(slept).toEqual([7000])
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
})
