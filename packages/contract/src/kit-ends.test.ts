import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../test/console.ts'
import { runCommandLine } from './command/command.ts'
import { openKit } from './kit.ts'
import type { Selection } from './model/selection.ts'
import { Unreachable } from './model/signals.ts'
import { openJournal } from './run-context/journal.ts'
import { demoTarget } from './target/demo.ts'
import type { Target } from './target/target.ts'

const groupId = '64b7e1c20f3a5d6e7f809101'
const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }
const json = { 'Content-Type': 'application/json' }

/** The received requests, each as its method and path, and their bodies. */
let requested: string[] = []
let posts = 0
let post: RequestListener = () => {}
/** The target goes down if a request's URL contains this text. */
let fatal = ' '
/** Behaves as if the server's process had crashed during the request. */
const goDown: RequestListener = ({ socket }) => {
  target.close()
  target.closeAllConnections()
  socket.destroy()
}
/** A target that creates alert configurations while `post` allows it. */
const target = createServer((request, response) => {
  const { method, url, headers } = request
  const isProbe = headers.authorization === undefined
  // Probes for missing operations are marked, because they don't change the target.
  requested.push(`${isProbe && method !== 'GET' ? 'probe ' : ''}${method} ${url?.split('?')[0]}`)
  // The kit also sends a request to a path that no operation has. The 404 shows that this target finds the operation
  // before it checks the credentials.
  if (url?.endsWith('-unknown')) response.writeHead(404, json).end('{}')
  else if (isProbe) response.writeHead(401, challenge).end()
  else if (url?.includes(fatal)) goDown(request, response)
  else if (method === 'POST') {
    posts += 1
    post(request, response)
  } else if (method === 'DELETE') response.writeHead(204).end()
  else response.writeHead(200, json).end('{"results":[],"totalCount":0}')
})
let arrange: RequestListener = () => {}
const control = createServer((request, response) => {
  requested.push(`${request.method} ${request.url}`)
  arrange(request, response)
})

const addressOf = (server: typeof target): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeEach(async () => {
  requested = []
  posts = 0
  fatal = ' '
  for (const server of [target, control])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const server of [target, control]) {
    server.closeAllConnections()
    if (server.listening) server.close()
  }
})

const make: RequestListener = (_, response) => response.writeHead(201, json).end(`{"id":"made-${posts}"}`)

const kitOn = (more: Partial<Target>, selection: Selection) =>
  openKit({
    target: {
      baseUrl: addressOf(target),
      things: { groupId },
      roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
      timeoutMs: 300,
      ...more,
    },
    selection,
    parallel: 1,
  })

const alertConfigs = { operations: ['listAlertConfigs'], versions: ['v1.0'], smoke: true } as const

test.each([
  ['hangs', () => {}],
  ['hangs up', (request: Parameters<RequestListener>[0]) => request.socket.destroy()],
])('if the target %s while a run is prepared, removes what was created', async (_, second) => {
  post = (request, response) => (posts === 1 ? make(request, response) : second(request))
  const kit = await kitOn({}, alertConfigs)
  const { results, leftovers: left } = await kit.run()
  expect(results.length).toBeGreaterThan(5)
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
  expect(left).toEqual([])
  expect(requested.filter((one) => one.startsWith('DELETE'))).toEqual([
    expect.stringMatching(/\/alertConfigs\/made-1$/),
  ])
})

test('a target that goes down while a run is prepared ends the run', async () => {
  post = goDown
  const kit = await kitOn({}, alertConfigs)
  await expect(kit.run()).rejects.toMatchObject({
    name: 'Unreachable',
    message: expect.stringMatching(
      /^stopped after 0 of \d+ checks: http\S+ stopped responding .*; the last requests without a response: POST \/\S+\/alertConfigs \(sent to prepare the run\);/,
    ),
    finished: { results: [], leftovers: [] },
  })
})

test('reports the request that brought the target down, with its check and a curl command', async () => {
  post = make
  fatal = 'pageNum=0'
  const selection = {
    operations: ['listAlertConfigs'],
    versions: ['v1.0'],
    requirements: ['paging.'],
  } as const
  const kit = await kitOn({}, selection)
  const error: unknown = await kit.run().catch((error: unknown) => error)
  if (!(error instanceof Unreachable)) throw error
  const lost = error.finished?.results.filter(({ actual = '' }) => actual.includes('no response')) ?? []
  expect(lost).toEqual([
    expect.objectContaining({
      requirement: 'paging.number-bounds',
      verdict: 'FAIL',
      expected: 'a response',
      curl: expect.stringMatching(/--digest .*\/alertConfigs\?pageNum=0' # as PROJECT_OWNER$/),
    }),
  ])
  expect(error.message).toMatch(
    /; the last requests without a response: GET \S+\?pageNum=0 of paging.number-bounds@listAlertConfigs@v1.0#0;/,
  )
})

test('a failed hook fails the checks that need it, and does not blame the target', async () => {
  post = make
  const hooks = { addAccessLogs: { command: 'exit 3' } }
  const clusters = [{ name: 'one', tier: 'M30', hostname: 'one.example' }]
  const kit = await kitOn(
    { hooks, clusters },
    { operations: ['listAccessLogsByCluster'], versions: ['v1.0'] },
  )
  const { results, leftovers: left } = await kit.run()
  const reasons = results.filter(({ verdict }) => verdict === 'KIT ERROR').map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(new Set(['the hook exit 3 ended with 3']))
  expect(results.length).toBeGreaterThan(reasons.length + 10)
  expect(left).toEqual([])
})

const clock: RequestListener = ({ method }, response) =>
  response.writeHead(method === 'GET' ? 200 : 500, json).end('{"now":"2030-01-01T00:00:00Z","rate":1}')

test.each([
  [
    'run',
    'contract: ended a condition that an earlier run raised: HOST_DOWN at 64b7e1c20f3a5d6e7f809101 one',
  ],
  ['cleanup', 'ended: HOST_DOWN at 64b7e1c20f3a5d6e7f809101 one Nothing is left to clean up.'],
])(
  '%s first ends the conditions of an earlier run in its journal, and reports them',
  async (command, said) => {
    post = make
    arrange = (_, response) => response.writeHead(200, json).end('{}')
    const folder = mkdtempSync(join(tmpdir(), 'contract-'))
    const [journal, file] = [join(folder, 'journal'), join(folder, 'target')]
    openJournal(journal).raised({ groupId, eventTypeName: 'HOST_DOWN', clusterName: 'one' })
    const roles = { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } }
    const hooks = { raiseEvent: { url: `${addressOf(control)}/events` } }
    writeFileSync(file, JSON.stringify({ baseUrl: addressOf(target), things: { groupId }, roles, hooks }))
    const { console, unwrapped: words } = listen()
    const selected = ['--operation', 'listAlertConfigs', '--version', 'v1.0']
    const more = command === 'run' ? ['-q', '--smoke'] : []
    await runCommandLine([command, '--target', file, '--journal', journal, ...selected, ...more], console)
    rmSync(folder, { recursive: true })
    expect(words()).toContain(said)
    const first = requested.indexOf('POST /events')
    expect(first).toBeGreaterThan(-1)
    expect(requested.slice(0, first).filter((one) => !one.startsWith('GET '))).toEqual([])
  },
)

/** Writes a journal as if a run had moved the clock by an hour and been killed a minute later. */
const killedAfterMove = (journal: string): void => {
  const now = Date.parse('2030-01-01T00:00:00Z')
  openJournal(journal).moved({ now, rate: 1, at: Date.now() - 60_000, seconds: 3600 })
}

test.each([
  ['run', /contract: an earlier run moved the clock: set back to 2030-01-01T00:01:0\dZ/],
  ['cleanup', /moved: the clock: set back to 2030-01-01T00:01:0\dZ Nothing is left to clean up\./],
])(
  '%s first restores the clock that an earlier run in its journal had moved, and reports it',
  async (command, said) => {
    post = make
    const moves: number[] = []
    let now = Date.parse('2030-01-01T01:01:00Z')
    arrange = async (request, response) => {
      const { seconds } = JSON.parse(await text(request))
      if (seconds !== 0) moves.push(seconds)
      now += seconds * 1000
      response.writeHead(200, json).end(JSON.stringify({ now: new Date(now).toISOString() }))
    }
    const folder = mkdtempSync(join(tmpdir(), 'contract-'))
    const [journal, file] = [join(folder, 'journal'), join(folder, 'target')]
    killedAfterMove(journal)
    const roles = { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } }
    const hooks = { advanceClock: { url: `${addressOf(control)}/clock` } }
    writeFileSync(file, JSON.stringify({ baseUrl: addressOf(target), things: { groupId }, roles, hooks }))
    const selected = ['--operation', 'listAlertConfigs', '--version', 'v1.0']
    const more = command === 'run' ? ['-q', '--smoke'] : []
    const ask = async () => {
      const { console, unwrapped: words } = listen()
      await runCommandLine([command, '--target', file, '--journal', journal, ...selected, ...more], console)
      return words()
    }
    expect(await ask()).toMatch(said)
    const first = requested.indexOf('POST /clock')
    expect(requested.slice(0, first).filter((one) => !one.startsWith('GET '))).toEqual([])
    // Checks of the run may move the clock later.
    const restored = () => moves.filter((seconds) => Math.abs(seconds + 3600) < 5)
    expect(moves.slice(0, 1)).toEqual(restored())
    expect(restored()).toHaveLength(1)
    expect(await ask()).not.toContain('set back')
    expect(restored()).toHaveLength(1)
    rmSync(folder, { recursive: true })
  },
)

test('a clock that cannot be restored is reported as a leftover and stays in the journal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  const [journal, file] = [join(folder, 'journal'), join(folder, 'target')]
  killedAfterMove(journal)
  const roles = { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } }
  writeFileSync(file, JSON.stringify({ baseUrl: addressOf(target), things: { groupId }, roles }))
  for (let times = 0; times < 2; times += 1) {
    const { console, unwrapped: words } = listen()
    expect(await runCommandLine(['cleanup', '--target', file, '--journal', journal], console)).toBe(1)
    expect(words()).toMatch(/left: setClock 2030-01-01T00:01:\S+: there is no way to move it \(hooks\./)
  }
  rmSync(folder, { recursive: true })
})

test('a clock that cannot be restored is reported with the results', async () => {
  arrange = clock
  const kit = await kitOn(
    { control: addressOf(control), things: { groupId: '64b7e1c20f3a5d6e7f8091ff' } },
    alertConfigs,
  )
  const { results, leftovers: left } = await kit.run()
  expect(results.length).toBeGreaterThan(5)
  expect(left).toEqual([
    {
      operation: 'setClock',
      parameters: { now: expect.stringMatching(/^2030-01-01T00:0/) },
      reason: expect.stringContaining('/clock returned 500'),
    },
  ])
})

test('a failed seeding ends the run, and what was seeded is removed', async () => {
  arrange = ({ url, method }, response) => {
    const failing = url === '/seed' || method === 'PUT'
    response.writeHead(failing ? 500 : 200, json).end('{"now":"2030-01-01T00:00:00Z","rate":1}')
  }
  const baseUrl = addressOf(target)
  const kit = await openKit({ target: demoTarget({ baseUrl, control: addressOf(control) }) })
  await expect(kit.run()).rejects.toMatchObject({
    name: 'NotArranged',
    message: expect.stringMatching(/\/seed returned 500: .*; 1 resource could not be removed$/),
  })
  expect(requested.slice(-2)).toEqual(['POST /unseed', 'PUT /clock'])
})

test('an unreachable control interface is not mistaken for the target', async () => {
  arrange = ({ url, socket }, response) => {
    if (url !== '/clock') socket.destroy()
    else response.writeHead(200, json).end('{"now":"2030-01-01T00:00:00Z","rate":1}')
  }
  const hooks = {
    things: { groupId: '64b7e1c20f3a5d6e7f8091ff' },
    clusters: [{ name: 'one', tier: 'M30', hostname: 'a.b' }],
  }
  const kit = await kitOn(
    { control: addressOf(control), ...hooks },
    { operations: ['listAccessLogsByCluster'], versions: ['v1.0'] },
  )
  const { results } = await kit.run()
  const reasons = results.filter(({ verdict }) => verdict === 'KIT ERROR').map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(
    new Set(
      ['access-logs', 'seed'].map((path) => `POST ${addressOf(control)}/${path}: no response (ECONNRESET)`),
    ),
  )
})

test('rejects a second run on the same sandbox before it changes anything', async () => {
  arrange = (_, response) => response.writeHead(200, json).end('{"now":"2030-01-01T00:00:00Z","rate":1}')
  const more = { control: addressOf(control), things: { groupId: '64b7e1c20f3a5d6e7f8091ff' } }
  const first = await kitOn(more, alertConfigs)
  await first
    .cases()[0]
    ?.run()
    .catch(() => {})
  const second = await kitOn(more, alertConfigs)
  const before = requested.filter((one) => !one.startsWith('GET')).length
  await expect(second.run()).rejects.toMatchObject({
    name: 'Misconfiguration',
    message: expect.stringMatching(
      /^process \d+ already runs the kit at \S+, .* use --own-world to give each run its own world/,
    ),
  })
  expect(requested.filter((one) => !one.startsWith('GET'))).toHaveLength(before)
  await first.finish()
  const third = await kitOn(more, alertConfigs)
  expect((await third.run()).leftovers).toEqual([])
})
