import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../test/console.ts'
import { type CredentialCheck, rejectedCredentials } from '../run-context/credentials.ts'
import { runCommandLine } from './command.ts'

let folder = ''
let answer: RequestListener = () => {}
let requested: string[] = []
const server = createServer((request, response) => {
  requested.push(`${request.method} ${request.url}`)
  answer(request, response)
})
let baseUrl = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-trial-'))
  requested = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const call = async (...argv: string[]) => {
  const { console, unwrapped } = listen()
  const selection = ['--operation', 'getCustomDns', '--version', '2023-01-01']
  const code = await runCommandLine([...argv, ...selection], console)
  return { code, words: unwrapped() }
}

const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }

/** Accepts API keys, but no service account. */
const choosy: RequestListener = ({ url = '', headers: { authorization = '' } }, response) => {
  if (url.includes('/oauth/')) response.writeHead(401).end('{"error":"invalid_client"}')
  else if (authorization.includes('username="right"'))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  else response.writeHead(401, challenge).end()
}

const groupId = '64b7e1c20f3a5d6e7f809101'

const targetFile = (roles: object, things: object = { groupId }): string => {
  const file = join(folder, 'target.json')
  writeFileSync(file, JSON.stringify({ baseUrl, things, roles }))
  return file
}

const runWith = (roles: object) => call('run', '-q', '--target', targetFile(roles))

const key = (publicKey: string) => ({ apiKey: { publicKey, privateKey: 'secret' } })

test('wrong credentials in the target file are not violations of the target', async () => {
  answer = choosy
  const { code, words: unwrapped } = await runWith({ PROJECT_OWNER: key('wrong') })
  expect(code).toBe(2)
  expect(unwrapped).toContain('the target rejects these credentials: the API key of PROJECT_OWNER: GET')
  expect(unwrapped).not.toContain('FAIL')
  const other = await runWith({ PROJECT_OWNER: key('right'), PROJECT_READ_ONLY: key('wrong') })
  expect([other.code, other.words]).toEqual([2, expect.stringContaining('the API key of PROJECT_READ_ONLY')])
  expect((await runWith({ PROJECT_OWNER: key('right') })).code).toBe(1)
})

test('blames the target file if other credentials of the same kind work, and the target otherwise', () => {
  const tried = (what: string, kind: CredentialCheck['kind'], unknown = false): CredentialCheck => ({
    what,
    kind,
    unknown,
    ...(unknown && { reason: 'status 401' }),
  })
  const names = (...all: CredentialCheck[]) => rejectedCredentials(all).map(({ what }) => what)
  expect(names()).toEqual([])
  expect(names(tried('a', 'digest', true), tried('b', 'bearer', true))).toEqual(['a', 'b'])
  expect(names(tried('a', 'digest'), tried('b', 'digest', true))).toEqual(['b'])
  expect(names(tried('a', 'digest'), tried('b', 'bearer', true))).toEqual([])
})

const hereAndThere = () => ['--base-url', baseUrl, '--control', baseUrl]

test.each(['run', 'doctor'])('%s names an address that is not a control interface', async (command) => {
  answer = choosy
  const unreachable = await call(command, '--base-url', baseUrl, '--control', 'http://127.0.0.1:9')
  expect(unreachable.code).toBe(2)
  expect(unreachable.words).toContain(
    '--control http://127.0.0.1:9 is not the control interface of a sandbox: GET',
  )
  expect(unreachable.words).not.toContain('internal error')
  const other = await call(command, ...hereAndThere())
  expect([other.code, other.words]).toEqual([2, expect.stringContaining('/clock returned 401')])
  answer = (_, response) => response.end('<html>')
  expect((await call(command, ...hereAndThere())).words).toContain("GET /clock didn't return a time")
})

test('removes a seeded copy if it is not at the tested address', async () => {
  answer = (request, response) => {
    if (request.url?.startsWith('/api/')) return choosy(request, response)
    response.end('{"now":"2031-01-01T00:00:00Z","rate":1}')
  }
  const { code, words: unwrapped } = await call('run', '-q', ...hereAndThere())
  expect([code, unwrapped]).toEqual([
    2,
    expect.stringContaining(`seeds: make sure that both addresses belong to the same sandbox`),
  ])
  expect(requested.filter((one) => one.startsWith('POST /') && !one.includes('oauth'))).toEqual([
    'POST /seed',
    'POST /unseed',
  ])
})

test('doctor says that a run on a sandbox has its own credentials', async () => {
  answer = (_, response) => response.end('{"now":"2031-01-01T00:00:00Z","rate":1}')
  expect((await call('doctor', ...hereAndThere())).words).toContain('that has its own credentials')
})

test('warns about a target that returns HTML', async () => {
  answer = (_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>')
  const { words: unwrapped } = await call('doctor', '--base-url', baseUrl)
  expect(unwrapped).toMatch(/GET \S+ returned 404 text\/html: check that it is the address/)
})

const notFound: RequestListener = (_, response) =>
  response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}')

test('a run without any implemented operation warns about the address and ends without checks', async () => {
  answer = notFound
  const { code, words: unwrapped } = await runWith({ PROJECT_OWNER: key('right') })
  expect(unwrapped).toMatch(/GET \S+ returned 404 application\/json: check that it is the address/)
  expect(unwrapped).toContain(`getCustomDns is not implemented at ${baseUrl}: check that it is the address`)
  expect(unwrapped).not.toContain('FAIL')
  expect(code).toBe(2)
})

test.each(['run', 'doctor'])('%s reports where a service has moved', async (command) => {
  answer = ({ url }, response) =>
    response.writeHead(301, { Location: `https://127.0.0.1:8443/base${url}` }).end()
  const { code, words: unwrapped } = await call(
    command,
    '--target',
    targetFile({ PROJECT_OWNER: key('right') }),
  )
  expect(code).toBe(2)
  expect(unwrapped).toContain(
    'returned 301, but the service is at https://127.0.0.1:8443/base: use that address',
  )
  expect(unwrapped).not.toContain('FAIL')
})

test('warns about a redirect to another page', async () => {
  answer = (_, response) => response.writeHead(302, { Location: '/login' }).end()
  const { words: unwrapped } = await call('doctor', '--target', targetFile({ PROJECT_OWNER: key('right') }))
  expect(unwrapped).toMatch(/GET \S+ returned 302 to \/login: check that it is the address/)
})

test.each(['/api', '/api/svc/v2/'])('suggests a shorter address for one with %s', async (path) => {
  answer = (request, response) =>
    request.url?.startsWith('/api/svc/v2/groups/') ? choosy(request, response) : notFound(request, response)
  const file = targetFile({ PROJECT_OWNER: key('right') })
  const { code, words: unwrapped } = await call(
    'run',
    '-q',
    '--target',
    file,
    '--base-url',
    `${baseUrl}${path}`,
  )
  expect(code).toBe(2)
  expect(unwrapped).toContain(` returned 404, but the service is at ${baseUrl}: use that address`)
})

test('a wrong project is not a violation if other resources exist', async () => {
  const withOut = (missing: RegExp): RequestListener => {
    return (request, response) =>
      missing.test(request.url ?? '') && request.headers.authorization !== undefined
        ? notFound(request, response)
        : choosy(request, response)
  }
  answer = withOut(/\/groups\//)
  const lost = await runWith({ PROJECT_OWNER: key('right') })
  expect(lost.code).toBe(2)
  expect(lost.words).toContain(
    `the project ${groupId} is not visible to the API key of PROJECT_OWNER, although other resources are`,
  )
  // The run continues, because other parts of the project can be tested.
  answer = withOut(/awsCustomDNS/)
  expect((await runWith({ PROJECT_OWNER: key('right') })).code).toBe(1)
  answer = withOut(/./)
  const without = await runWith({ PROJECT_OWNER: key('right') })
  expect(without.code).toBe(2)
  expect(without.words).toMatch(/(none of the \d+ operations|\w+) is (not )?implemented at http/)
})

test('rejects an invalid project before it sends anything', async () => {
  const things = {
    groupId: 'NOTANID',
    clusterName: 'any name?',
    indexName: 'any name?',
    'getSnapshot.snapshotId': 'x',
  }
  const { code, words: unwrapped } = await call('run', '-q', '--target', targetFile({}, things))
  expect(code).toBe(2)
  expect(unwrapped).toContain('things.groupId must be a value such as 6')
  expect(unwrapped).toMatch(/things\.clusterName must be .* but was "any name\?"/)
  expect(unwrapped).toMatch(/things\.getSnapshot\.snapshotId must be .* but was "x"/)
  // The specification doesn't define the format of index names.
  expect(unwrapped).not.toContain('indexName')
  expect(requested).toEqual([])
})
