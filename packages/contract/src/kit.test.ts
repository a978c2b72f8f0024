import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reportOf } from '../test/reports.ts'
import { openKit } from './kit.ts'
import { loadApi } from './model/api.ts'
import { htmlReport } from './report/html.ts'
import { junitReport } from './report/junit.ts'
import { markdownReport } from './report/markdown.ts'
import { sarifReport } from './report/sarif.ts'
import { terminalReport } from './report/terminal.ts'
import { openJournal } from './run-context/journal.ts'
import { unauthenticatedProbesOf } from './run-context/open.ts'
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
/** Whether the server accepts all credentials and serves every request. */
let obedient = false
let requested: string[] = []
const answer: RequestListener = ({ method, url, headers: { authorization } }, response) => {
  requested.push(`${method} ${url?.split('?')[0]}`)
  if (!obedient) response.writeHead(404, { 'Content-Type': 'text/plain', ...headers }).end('nothing here')
  else if (authorization === undefined) response.writeHead(401, challenge).end()
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"results":[],"totalCount":0}')
}
const server = createServer()
const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }
let baseUrl = ''
beforeEach(async () => {
  // Restore the request handler, because some tests replace it.
  server.removeAllListeners('request').on('request', answer)
  headers = {}
  obedient = false
  requested = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

test('the first request is one of the tested operations and has all parameters in its path', () => {
  for (const area of new Set(api.cells.map(({ operation }) => operation.area))) {
    const tried = api.cells.filter(({ operation }) => operation.area === area)
    const [{ path }] = unauthenticatedProbesOf(api, targetAt('http://127.0.0.1'), { tested: tried })
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

test('a server that returns 404 for everything is reported in one sentence, and the journal is unlocked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kit-'))
  const selection = { operations: ['listAlerts'] }
  const kit = await openKit({ target: targetAt(baseUrl), selection, journalFile: join(folder, 'journal') })
  await expect(kit.run()).rejects.toThrow(
    `listAlerts is not implemented at ${baseUrl}: check that it is the address of the service, without /api`,
  )
  expect(readdirSync(folder)).toEqual(['journal'])
  rmSync(folder, { recursive: true })
})

test('a server that never sends a challenge is tested', async () => {
  server.removeAllListeners('request').on('request', (_, response) => response.writeHead(403).end())
  const kit = await openKit({ target: targetAt(baseUrl), selection: { operations: ['listAlerts'] } })
  const { results } = await kit.run()
  const refused = results.filter(({ requirement }) => requirement === 'auth.no-credentials-refused')
  expect(new Set(refused.map(({ verdict }) => verdict))).toEqual(new Set(['WARN']))
  expect(results.some(({ verdict }) => verdict === 'FAIL')).toBe(true)
  const lacks = results.flatMap(({ reason = '' }) => reason)
  expect(lacks).toContain(
    `a Digest challenge (GET ${baseUrl}/api/svc/v2/groups/${groupId}/alerts without credentials returned 403)`,
  )
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
})

test('reports a target that does not respond to the first request', async () => {
  server.removeAllListeners('request').on('request', (request) => request.socket.destroy())
  const kit = await openKit({ target: targetAt(baseUrl), selection: { operations: ['listAlerts'] } })
  await expect(kit.run()).rejects.toThrow(
    `the first request to ${baseUrl} got no response: GET /api/svc/v2/groups/${groupId}/alerts: no response (ECONNRESET)`,
  )
})

test('does not report sunsets as missing if the target does not enforce them', async () => {
  obedient = true
  const requirements = ['versions.sunset-enforced-gone']
  const kit = await openKit({ target: targetAt(baseUrl), selection: { requirements } })
  const { results } = await kit.run()
  const tried = results.filter(({ reason = '' }) => reason.includes('enforcesSunset'))
  expect(tried.length).toBeGreaterThan(0)
  for (const { verdict, reason } of tried)
    expect([verdict, reason]).toEqual([
      'NOT APPLICABLE',
      expect.stringContaining('the target does not enforce sunset dates'),
    ])
})

test('a read-only run sends only requests that change nothing, even if the target accepted others', async () => {
  obedient = true
  const serviceAccount = { clientId: 'svc_sa_1', clientSecret: 'svc_ss_1' }
  const roles = {
    PROJECT_OWNER: { apiKey, serviceAccount },
    PROJECT_READ_ONLY: { apiKey: { ...apiKey, publicKey: 'reader' } },
  }
  const kit = await openKit({
    target: { ...targetAt(baseUrl), roles, readOnly: true, foreign: { groupId: '64b7e1c20f3a5d6e7f809199' } },
    selection: { brief: true },
  })
  const { results } = await kit.run()
  const others = new Set(requested.filter((one) => !/^(GET|HEAD|OPTIONS|TRACE) /.test(one)))
  expect(others).toEqual(new Set(['POST /api/oauth/token']))
  expect(requested.some((one) => one.startsWith('GET '))).toBe(true)
  expect(results.some(({ verdict }) => verdict === 'FAIL')).toBe(true)
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
})

test('locks the journal while the kit is open', async () => {
  obedient = true
  const folder = mkdtempSync(join(tmpdir(), 'kit-'))
  const journalFile = join(folder, 'journal')
  const kit = await openKit({
    target: targetAt(baseUrl),
    selection: { operations: ['getCustomDns'], smoke: true },
    journalFile,
  })
  expect(existsSync(`${journalFile}.lock`)).toBe(true)
  await kit.run()
  expect(readdirSync(folder)).toEqual(['journal'])
  rmSync(folder, { recursive: true })
})

test("takes the target's time from its Date header", async () => {
  headers = { Date: 'Wed, 01 Jan 2031 12:00:00 GMT' }
  const kit = await openKit({ target: targetAt(baseUrl), selection: { operations: ['listAlerts'] } })
  const now = await kit.context.prerequisites.now()
  kit.close()
  expect(new Date(now).toISOString()).toMatch(/^2031-01-01T12:0/)
})

/** Opens a kit with a timer that only records how long the kit would sleep, so the test takes no real time. */
const sleeping = async (
  target: Target,
  say: (count: number) => [number, Record<string, string>],
  { body = '{}', requirements = ['auth.no-credentials-refused'] } = {},
) => {
  let count = 0
  server.removeAllListeners('request').on('request', (_, response) => {
    count += 1
    const [status, headers] = say(count)
    response.writeHead(status, headers).end(body)
  })
  const slept: number[] = []
  const timer = {
    now: () => 0,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds)
    },
  }
  const selection = { operations: ['listMatcherFieldNames'], requirements }
  const told: number[] = []
  const onWait = (seconds: number): void => {
    told.push(seconds)
  }
  const kit = await openKit({ target, selection, timer, onWait })
  const { results } = await kit.run()
  return { results, slept, told, count }
}

test('sends no more requests per second than the target allows', async () => {
  const { slept, count } = await sleeping({ ...targetAt(baseUrl), requestsPerSecond: 4 }, () => [403, {}])
  // After the first request, the kit sends four requests per second.
  expect(count).toBeGreaterThan(2)
  expect(slept.slice(0, 2)).toEqual([250, 500])
  expect(slept).toHaveLength(count - 2)
})

test('waits when the target asks for it, and retries', async () => {
  const { results, slept, told } = await sleeping(targetAt(baseUrl), (count) =>
    count === 2 ? [429, { 'Retry-After': '7' }] : [403, {}],
  )
  expect(slept).toEqual([7000])
  expect(told).toEqual([7])
  expect(results.filter(({ verdict }) => verdict === 'KIT ERROR')).toEqual([])
})

test('a target that always limits requests fails only for its missing header', async () => {
  const body = '{"error":429,"errorCode":"RATE_LIMITED","reason":"Too Many Requests","detail":"Slow down."}'
  const { results, slept } = await sleeping(
    targetAt(baseUrl),
    () => [429, { 'Content-Type': 'application/json' }],
    {
      body,
      requirements: ['auth.no-credentials-refused', 'errors.'],
    },
  )
  expect([...new Set(slept)].slice(0, 3)).toEqual([1000, 10_000, 60_000])
  const red = results.filter(({ verdict }) => verdict === 'FAIL' || verdict === 'WARN')
  expect(new Set(red.map(({ requirement }) => requirement))).toEqual(new Set(['errors.retry-after']))
  const refused = results.filter(({ requirement }) => requirement === 'auth.no-credentials-refused')
  expect(refused.map(({ verdict, reason }) => `${verdict} ${reason}`)[0]).toMatch(/^UNTESTABLE .*429.*--rate/)
})

describe('an interrupted run', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contract-kit-'))
    openJournal(join(folder, 'journal')).began({
      runTag: 'earlier',
      seed: 7,
      strict: true,
      target: baseUrl,
      selection: {},
    })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const resumed = (options: object) =>
    openKit({ target: targetAt(baseUrl), resume: true, journalFile: join(folder, 'journal'), ...options })

  test('resumes with its seed and tag', async () => {
    const kit = await resumed({ strict: true })
    kit.close()
    expect([kit.seed, kit.context.runTag]).toEqual([7, 'earlier'])
  })

  test('does not resume with another seed or strictness', async () => {
    await expect(resumed({ strict: true, seed: 8 })).rejects.toThrow('started with seed 7')
    await expect(resumed({ seed: 7 })).rejects.toThrow('started with --strict')
  })

  test('does not resume at another target or with another selection', async () => {
    await expect(resumed({ strict: true, target: targetAt('http://127.0.0.1:1') })).rejects.toThrow(
      `started at ${baseUrl}; it can't be resumed at http://127.0.0.1:1`,
    )
    await expect(resumed({ strict: true, selection: { areas: ['Alerts'], smoke: true } })).rejects.toThrow(
      "started with everything; it can't be resumed with area Alerts, a smoke test",
    )
  })

  test('first removes its leftovers, and then does the checks that are not in the journal', async () => {
    const journalFile = join(folder, 'whole')
    headers = challenge
    const options = {
      target: targetAt(baseUrl),
      journalFile,
      selection: { operations: ['getCustomDns'], smoke: true },
    }
    const whole = await openKit(options)
    const { results } = await whole.run()
    const told = () => openJournal(journalFile).progress()
    const ids = () => told().done.map(({ result }) => result.id)
    expect(ids().sort()).toEqual(whole.plan.cases.map(({ id }) => id))
    const lines = readFileSync(journalFile, 'utf8')
      .split('\n')
      .slice(0, Math.ceil(ids().length / 3))
    writeFileSync(journalFile, `${lines.join('\n')}\n`)
    openJournal(journalFile).created({
      operation: 'deleteAlertConfig',
      parameters: { groupId, alertConfigId: 'a' },
    })
    const early = ids()
    const { run } = told()
    expect(early.length).toBeGreaterThan(2)
    requested = []
    const kit = await openKit({ ...options, resume: true })
    const resumed = await kit.run()
    const removing = requested.findIndex(
      (one) => one.startsWith('DELETE ') && one.endsWith('/alertConfigs/a'),
    )
    // Until then, the kit only sends requests that check the target and find resources.
    expect(requested.slice(0, removing).every((one) => one.startsWith('GET '))).toBe(true)
    expect([removing, requested.length > removing + 3]).toEqual([3, true])
    expect(told().run).toEqual(run)
    expect(ids().slice(0, early.length)).toEqual(early)
    expect(new Set(ids()).size).toBe(ids().length)
    const verdicts = (all: typeof results) => all.map(({ id, verdict }) => `${verdict} ${id}`)
    expect(verdicts(resumed.results)).toEqual(verdicts(results))
  })

  test('does not clean up at another target, where the resources would count as gone', async () => {
    const journalFile = join(folder, 'journal')
    const elsewhere = {
      target: targetAt('http://127.0.0.1:1'),
      journalFile,
      selection: { areas: ['Alerts'] },
    }
    const kit = await openKit(elsewhere)
    kit.close()
    const parameters = { groupId, alertConfigId: 'a' }
    openJournal(journalFile).created({ operation: 'deleteAlertConfig', parameters })
    const refused = ` lists resources at ${baseUrl}, but the target is http://127`
    await expect(openKit(elsewhere)).rejects.toThrow(refused)
    const journal = openJournal(journalFile)
    journal.removed({ operation: 'deleteAlertConfig', parameters })
    const [condition, place] = [
      { groupId, eventTypeName: 'HOST_DOWN' },
      { operation: 'deleteAlertConfig', parameters: { groupId } } as const,
    ]
    for (const [begin, end] of [
      [() => journal.raised(condition), () => journal.ended(condition)],
      [() => journal.existing({ ...place, names: [] }), () => journal.restored(place)],
      [() => journal.moved({ now: 1, at: 1, rate: 1, seconds: 1 }), () => journal.clockBack()],
    ] as const) {
      begin()
      await expect(openKit(elsewhere)).rejects.toThrow(refused)
      end()
    }
    const allowed = await openKit(elsewhere)
    allowed.close()
  })

  test('does not resume without a run in the journal', async () => {
    await expect(resumed({ journalFile: undefined })).rejects.toThrow("needs the run's journal")
    await expect(resumed({ journalFile: join(folder, 'none') })).rejects.toThrow('contains no run to resume')
  })
})

test('a read-only run uses neither hooks nor the control interface', async () => {
  const hooks = { raiseEvent: { url: `${baseUrl}/hook` }, advanceClock: { url: `${baseUrl}/hook` } }
  const kit = await openKit({ target: { ...targetAt(baseUrl), readOnly: true, hooks, control: baseUrl } })
  const { canRaiseEvents, canMoveClock, canSeed } = kit.context.prerequisites
  kit.close()
  expect([canRaiseEvents, canMoveClock, canSeed]).toEqual([false, false, false])
})

test('passed checks have an exchange with shortened bodies if requested', async () => {
  const body = JSON.stringify({ results: [], totalCount: 0, more: 'x'.repeat(9000) })
  server.removeAllListeners('request').on('request', ({ headers: { authorization } }, response) => {
    if (authorization === undefined) response.writeHead(401, challenge).end()
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
  })
  const passed = async (keepPasses: boolean) => {
    const target = targetAt(baseUrl)
    const kit = await openKit({ target, selection: { operations: ['listAlerts'] }, keepPasses })
    return (await kit.run()).results.filter(({ verdict }) => verdict === 'PASS')
  }
  const shown = await passed(true)
  const judged = shown.filter(({ requirement }) => requirement === 'errors.success-status')
  expect(judged.length).toBeGreaterThan(0)
  expect(shown.filter(({ exchange, curl }) => !exchange || !curl)).toEqual([])
  const long = shown.filter(({ exchange }) => exchange?.response.status === 200)
  expect(long.length).toBeGreaterThan(0)
  for (const { exchange } of long)
    expect(exchange?.response).toMatchObject({ body: body.slice(0, 1500), fullLength: body.length })
  expect((await passed(false)).filter(({ exchange, curl }) => exchange ?? curl)).toEqual([])
})

test('no report contains a password, client secret or token, regardless of what the target returns', async () => {
  const clientSecret = 'svc_ss_5f1d8b0e4c3a'
  const token = 'a-token-that-nobody-may-see'
  const basic = Buffer.from(`svc_sa_1:${clientSecret}`).toString('base64')
  const secrets = [apiKey.privateKey, clientSecret, token, basic]
  server.removeAllListeners('request').on('request', ({ url, headers: { authorization = '' } }, response) => {
    const body = url?.includes('/oauth/')
      ? { access_token: token, expires_in: 3600, echo: authorization }
      : { detail: secrets.join(' '), echo: authorization }
    const headers = { 'Content-Type': 'application/json', 'X-Echo': secrets.join(','), ...challenge }
    response.writeHead(authorization === '' ? 401 : 200, headers).end(JSON.stringify(body))
  })
  const roles = { PROJECT_OWNER: { apiKey, serviceAccount: { clientId: 'svc_sa_1', clientSecret } } }
  const kit = await openKit({
    target: { ...targetAt(baseUrl), roles },
    selection: { operations: ['listAlerts', 'getAlert', 'issueToken'], smoke: true },
    keepPasses: true,
  })
  const { results, coverage, operations, leftovers: left } = await kit.run()
  const report = reportOf(results, { target: baseUrl, coverage, operations, leftovers: left })
  expect(report.summary.FAIL).toBeGreaterThan(5)
  const forms = { htmlReport, junitReport, markdownReport, sarifReport, terminalReport, json: JSON.stringify }
  for (const [name, write] of Object.entries(forms)) {
    const text = write(report)
    expect([name, secrets.filter((secret) => text.includes(secret))]).toEqual([name, []])
  }
  expect(JSON.stringify(report)).toContain('[masked]')
  expect(JSON.stringify(report)).toContain('Bearer [masked]')
})
