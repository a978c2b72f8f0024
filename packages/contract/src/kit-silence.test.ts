import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reportOf } from '../test/reports.ts'
import { type KitOptions, openKit } from './kit.ts'
import { isLost, overloaded } from './model/difference.ts'
import type { Selection } from './model/selection.ts'
import { titleOf } from './report/finding-text.ts'
import { terminalReport } from './report/terminal.ts'

// These tests use targets that don't respond, or a gateway that responds in their place.

const groupId = '64b7e1c20f3a5d6e7f809101'
const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }
const json = { 'Content-Type': 'application/json' }

/** Ends a request without a normal response. Returns false if the request should be served normally. */
let interrupt: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
let hung = 0
const hang = (): boolean => {
  hung += 1
  return true
}
const target = createServer((request, response) => {
  if (interrupt(request, response)) return
  const { url = '', headers } = request
  if (url.endsWith('-unknown')) response.writeHead(404, json).end('{}')
  else if (headers.authorization === undefined) response.writeHead(401, challenge).end()
  else response.writeHead(200, json).end('{"results":[],"totalCount":0}')
})

beforeEach(async () => {
  hung = 0
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  target.closeAllConnections()
  target.close()
})

const run = async (selection: Selection, timeoutMs = 400, timer?: KitOptions['timer']) => {
  const kit = await openKit({
    target: {
      baseUrl: `http://127.0.0.1:${(target.address() as AddressInfo).port}`,
      things: { groupId },
      roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
      timeoutMs,
    },
    selection,
    ...(timer && { timer }),
  })
  const { results } = await kit.run()
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
  return results
}

test('waits only a few times for an operation that never responds', async () => {
  interrupt = ({ method, url = '', headers }) =>
    headers.authorization !== undefined && method === 'GET' && /\/alerts(\?|$)/.test(url) && hang()
  const results = await run({ operations: ['listAlerts', 'listAlertConfigs'], versions: ['2023-01-01'] })
  const skipped = results.filter(({ reason = '' }) =>
    /^a response from listAlerts: \d+ requests/.test(reason),
  )
  expect(new Set(skipped.map(({ verdict }) => verdict))).toEqual(new Set(['UNTESTABLE']))
  expect(skipped.length).toBeGreaterThan(40)
  // The kit sends a few requests anyway, in case the target has recovered.
  expect(hung).toBeLessThan(skipped.length / 4)
  const others = results.filter(
    ({ operation, exchanges }) => operation === 'listAlertConfigs' && exchanges > 0,
  )
  expect(others.length).toBeGreaterThan(40)
})

test('waits only a few times for a kind of request that never gets a response on any operation', async () => {
  interrupt = ({ url = '' }) => url.includes('noSuchParameter') && hang()
  const results = await run({ requirements: ['parameters.unknown-refused'], readOnly: true })
  const known = results.filter(
    ({ variant, verdict }) => variant === 'noSuchParameter' && verdict !== 'NOT APPLICABLE',
  )
  expect(known.length).toBeGreaterThan(60)
  expect(hung).toBeLessThan(20)
  expect(known.some(({ reason = '' }) => reason.includes('parameters.unknown-refused#noSuchParameter'))).toBe(
    true,
  )
})

test('reports responses of a gateway as one finding, and does not judge them', async () => {
  let requests = 0
  interrupt = ({ headers, url = '' }, response) => {
    if (headers.authorization === undefined || url.endsWith('-unknown')) return false
    requests += 1
    if (requests % 3 > 0) return false
    response
      .writeHead([502, 504][requests % 2] ?? 502, { 'Content-Type': 'text/html' })
      .end('<h1>Bad gateway</h1>')
    return true
  }
  const results = await run(
    {
      operations: ['listAlerts'],
      versions: ['2023-01-01'],
      requirements: ['parameters.', 'paging.'],
    },
    30_000,
  )
  const lost = results.filter(({ actual = '' }) => /no response \(50[24] /.test(actual))
  expect(lost.length).toBeGreaterThan(5)
  expect(results.filter(({ actual = '' }) => /^50[24]/.test(actual))).toEqual([])
  const report = reportOf(results)
  const about = report.findings.filter(({ results: [first] }) => isLost(first))
  expect(about.map(({ results: { length } }) => length)).toEqual([lost.length])
  expect(terminalReport(report)).toMatch(/FAIL {2}No response {2,}listAlerts 2023-01-01\n/)
})

test('reports an overloaded target as one finding, and does not judge its responses', async () => {
  let requests = 0
  interrupt = ({ headers, url = '' }, response) => {
    if (headers.authorization === undefined || url.endsWith('-unknown')) return false
    requests += 1
    const status = [200, 408, 503, 429][Math.floor(requests / 4) % 4] ?? 200
    if (status === 200) return false
    response.writeHead(status, { 'Retry-After': '0', 'Content-Type': 'text/plain' }).end('Try later.')
    return true
  }
  const results = await run(
    {
      operations: ['listAlerts'],
      versions: ['2023-01-01'],
      requirements: ['errors.status-declared', 'errors.body-fits-schema', 'paging.'],
    },
    30_000,
    { now: () => performance.now(), sleep: async () => {} },
  )
  const red = results.filter(({ verdict }) => verdict === 'FAIL' || verdict === 'WARN')
  expect(red.filter(({ actual = '' }) => /408|503|429|Try later/.test(actual))).toEqual(
    red.filter(({ difference }) => difference === overloaded),
  )
  const report = reportOf(results)
  const about = report.findings.filter(({ results: [first] }) => isLost(first))
  expect(about.map(titleOf)).toEqual(['No response, because the target is overloaded'])
  expect(results.some(({ reason = '' }) => reason.startsWith('a response other than 429'))).toBe(true)
})

test('asks an absent route for a challenge only to find out that it is absent', async () => {
  const asked: string[] = []
  interrupt = ({ method, headers, url = '' }, response) => {
    if (!url.includes('/alerts')) return false
    if (headers.authorization === undefined) asked.push(`${method} ${url.split('?')[0]}`)
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>')
    return true
  }
  const areas = ['Alerts', 'Alert Configurations']
  const results = await run({ areas, versions: ['2023-01-01'], requirements: ['auth.', 'errors.'] }, 30_000)
  expect(results.some(({ operation }) => operation === 'listAlerts')).toBe(false)
  expect(results.some(({ operation }) => operation === 'listAlertConfigs')).toBe(true)
  const most = Math.max(...[...new Set(asked)].map((one) => asked.filter((other) => other === one).length))
  // The kit sends each request twice at most: first to find a request that returns a challenge, and then to find
  // missing operations.
  expect(most).toBeLessThanOrEqual(2)
})

test('a lost response does not make the nonce count of the retry look repeated', async () => {
  const [used, sockets] = [new Set<string>(), new WeakSet<object>()]
  let [nonces, lost] = [0, 0]
  interrupt = ({ headers: { authorization }, socket }, response) => {
    const refuse = (): true => {
      nonces += 1
      const header = challenge['WWW-Authenticate'].replace('nonce="n"', `nonce="${nonces}"`)
      const body = { error: 401, errorCode: 'UNAUTHORIZED', reason: 'Unauthorized', detail: 'No.' }
      response.writeHead(401, { ...json, 'WWW-Authenticate': header }).end(JSON.stringify(body))
      return true
    }
    const [count = ''] = /nc=\w+/.exec(authorization ?? '') ?? []
    const key = `${/nonce="\d+"/.exec(authorization ?? '')} ${count}`
    if (count === '' || used.has(key)) return refuse()
    used.add(key)
    // The target has processed this request, but closes the idle connection before it sends the response.
    const isLost = sockets.has(socket) && count.endsWith('1')
    sockets.add(socket)
    if (isLost) {
      lost += 1
      socket.destroy()
    }
    return isLost
  }
  const results = await run({
    operations: ['listMatcherFieldNames'],
    requirements: ['auth.digest-nonce'],
  })
  expect(lost).toBeGreaterThan(2)
  expect(results.map(({ requirement, verdict }) => [requirement, verdict])).toEqual(
    results.map(({ requirement }) => [requirement, 'PASS']),
  )
})

test('does not give up if only the first request gets no response', async () => {
  let first: string | undefined
  interrupt = ({ url }) => {
    first ??= url
    return url === first && hang()
  }
  const results = await run({
    areas: ['Alert Configurations'],
    versions: ['2023-01-01'],
    requirements: ['errors.success-status'],
  })
  expect(results.some(({ verdict }) => verdict === 'PASS')).toBe(true)
  interrupt = () => hang()
  hung = 0
  await expect(run({ areas: ['Alert Configurations'] })).rejects.toThrow(
    /the first request to \S+ got no response/,
  )
  // After the first request, the kit tries only a few others, because each may take the whole timeout.
  expect(hung).toBeLessThanOrEqual(3)
})
