import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listen } from '../../test/console.ts'
import type { Target } from '../target/target.ts'
import { runCommandLine } from './command.ts'

let folder = ''
let answer: RequestListener = () => {}
const server = createServer((request, response) => answer(request, response))
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  // A test may have closed the server itself.
  if (server.listening) await new Promise((resolve) => server.close(resolve))
})

const at = (name: string): string => join(folder, name)

/** Runs the kit on the server until the signal is aborted. */
const running = async (more: Partial<Target>, signal: AbortSignal, ...args: string[]) => {
  const { port } = server.address() as AddressInfo
  const target = {
    baseUrl: `http://127.0.0.1:${port}`,
    things: { groupId: '64b7e1c20f3a5d6e7f809101' },
    roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
    ...more,
  }
  writeFileSync(at('target'), JSON.stringify(target))
  const { console, unwrapped } = listen({ interruption: () => signal })
  const code = await runCommandLine(['run', '-q', '-j', '1', '--target', at('target'), ...args], console)
  return { code, words: unwrapped() }
}

/** Runs the kit on the server, and interrupts it at the given request. */
const runInterrupted = (
  more: Partial<Target>,
  count: number,
  before: RequestListener,
  then: RequestListener,
  ...args: string[]
) => {
  const controller = new AbortController()
  let asked = 0
  answer = (request, response) => {
    asked += 1
    if (asked < count) return before(request, response)
    then(request, response)
    if (server.listening) setTimeout(() => controller.abort(), 50)
  }
  return running(more, controller.signal, ...args)
}

/**
 * A server that rejects every request with 403. If the server returned 404, the kit would conclude that the
 * operations aren't implemented.
 */
const refuse: RequestListener = (_, response) => response.writeHead(403).end('nothing here')
const hang: RequestListener = () => {}
const trickle: RequestListener = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
}
const askForRetry: RequestListener = (_, response) =>
  response.writeHead(429, { 'Retry-After': '60' }).end('{}')

const some = ['--operation', 'listAlerts', '--version', 'v1.0']
/** After this many requests, a few checks have finished. */
const someChecks = 60

test.each([
  ['hangs', hang],
  ['trickles', trickle],
])('an interrupt stops a run immediately if the target %s', async (_, listener) => {
  const { code, words: unwrapped } = await runInterrupted({}, 1, refuse, listener, ...some)
  expect([code, unwrapped]).toEqual([130, expect.stringContaining('interrupted before the first check')])
  expect(unwrapped).not.toContain('The target conforms')
})

test('an interrupt stops a run that waits for a hook, and the hook too', async () => {
  const hooks = { advanceClock: { command: `echo $$ > ${at('pid')}; exec sleep 600` } }
  const controller = new AbortController()
  answer = refuse
  const run = running({ hooks }, controller.signal, ...some)
  // On a busy machine, it may take some time until a shell starts.
  const pid = await vi.waitFor(
    () => {
      const stopped = readFileSync(at('pid'), 'utf8')
      expect(stopped).toMatch(/^\d+\n$/)
      return Number(stopped)
    },
    { timeout: 15_000 },
  )
  controller.abort()
  expect((await run).code).toBe(130)
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 15_000 })
}, 40_000)

test('an interrupt stops a run that was asked to wait', async () => {
  expect((await runInterrupted({}, 3, refuse, askForRetry, ...some)).code).toBe(130)
})

test('the reports of an interrupted run have its results and say so', async () => {
  const files = ['html', 'json', 'junit', 'sarif', 'markdown', 'badge']
  const { code, words: unwrapped } = await runInterrupted(
    {},
    someChecks,
    refuse,
    hang,
    ...some,
    ...files.flatMap((name) => [`--${name}`, at(name)]),
  )
  expect(code).toBe(130)
  const stopped = /interrupted after [1-9]\d* of \d+ checks/.exec(unwrapped)?.[0]
  expect(unwrapped).toContain(`The run was ${stopped}`)
  const { interrupted, results } = JSON.parse(readFileSync(at('json'), 'utf8'))
  expect(interrupted).toContain(stopped)
  const broken = results.filter(({ verdict }: { verdict: string }) => /FAIL|WARN/.test(verdict))
  expect(broken.length).toBeGreaterThan(2)
  // The interrupted check must not have a result.
  expect(results.filter(({ verdict }: { verdict: string }) => verdict === 'KIT ERROR')).toEqual([])
  expect(JSON.stringify(broken)).not.toContain('no response')
  for (const name of ['html', 'junit', 'markdown'])
    expect([name, readFileSync(at(name), 'utf8')]).toEqual([name, expect.stringContaining(`${stopped}`)])
  expect(readFileSync(at('sarif'), 'utf8')).toContain('"executionSuccessful": false')
  const merging = listen()
  expect(await runCommandLine(['merge', at('json'), at('json')], merging.console)).toBe(2)
  expect(merging.unwrapped()).toContain(`belongs to a run that was ${stopped}`)
})

const leave: RequestListener = ({ socket }) => {
  server.close()
  server.closeAllConnections()
  socket.destroy()
}

test('reports a target that goes down during the first challenge', async () => {
  expect((await runInterrupted({}, 5, refuse, leave, ...some)).code).toBe(3)
})

test('a target that goes down ends the run, and the results so far are reported', async () => {
  const { code, words: unwrapped } = await runInterrupted(
    {},
    someChecks,
    refuse,
    leave,
    ...some,
    '--json',
    at('json'),
  )
  expect(code).toBe(3)
  const stopped = /stopped after [1-9]\d* of \d+ checks: http\S+ stopped responding/.exec(unwrapped)?.[0]
  expect(unwrapped).toContain(`The run was ${stopped}`)
  expect(unwrapped).toContain('because --journal was not used')
  const { interrupted, results } = JSON.parse(readFileSync(at('json'), 'utf8'))
  expect(interrupted).toContain(stopped)
  expect(
    results.filter(({ verdict }: { verdict: string }) => /FAIL|WARN/.test(verdict)).length,
  ).toBeGreaterThan(2)
  expect(results.filter(({ verdict }: { verdict: string }) => verdict === 'KIT ERROR')).toEqual([])
})
