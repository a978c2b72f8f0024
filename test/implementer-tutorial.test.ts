import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type KitOptions,
  loadTarget,
  Misconfiguration,
  openKit,
  type Result,
  type Target,
} from '@svc-admin/contract'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { areas } from '../examples/implementer/src/routes.ts'
import { type Running, startServer } from '../examples/implementer/src/server.ts'
import type { Module } from '../examples/implementer/src/service.ts'
import { makeReport } from '../packages/contract/src/report/report.ts'
import { terminalReport } from '../packages/contract/src/report/terminal.ts'
import { wrap } from '../packages/contract/src/report/text.ts'

// The tutorial's quotations must match the kit's output for the server at the same step.

const folder = new URL('../examples/implementer/', import.meta.url)
const readme = readFileSync(new URL('README.md', folder), 'utf8')
const secret = 'a-secret-of-the-test'
const port = '127.0.0.1:8090'

beforeAll(() => {
  process.env.IMPLEMENTER_SECRET = secret
  // An unfinished server logs every error that the kit triggers.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

/** Returns the lines that a section quotes, up to an ellipsis. */
const quotedIn = (heading: string): string[] => {
  const section = readme.split(/^## /m).find((one) => one.startsWith(heading)) ?? ''
  const blocks = [...section.matchAll(/^```text\n(.*?)^```/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.split('...')[0]?.trimEnd() ?? '')
      .filter(Boolean),
  )
}

const figures = /\d+(?:,\d{3})*(?![-\d.])/g

const numbersIn = (line: string): number[] =>
  [...line.matchAll(figures)].map(([digits]) => Number(digits.replaceAll(',', '')))

/** Words must match exactly. Numbers may differ slightly, because the ledger grows. */
const isNear = (quoted: string, line: string): boolean => {
  const words = (text: string) => text.replaceAll(/ *\d+(?:,\d{3})*(?![-\d.])/g, '#').replaceAll(/\s+/g, ' ')
  if (!words(line).startsWith(words(quoted))) return false
  const now = numbersIn(line)
  return numbersIn(quoted).every((number, place) => Math.abs(number - (now[place] ?? -1)) <= number / 10)
}

/** Returns the report as the command prints it, and the results. */
const judge = async (target: Target): Promise<{ said: string; results: readonly Result[] }> => {
  const options: KitOptions = {
    target,
    selection: { areas, inputs: 1 },
    timer: { now: () => 0, sleep: async () => {} },
  }
  const kit = await openKit(options)
  const finished = await kit.run().catch((error: unknown) => {
    if (error instanceof Misconfiguration) return error.message
    throw error
  })
  if (typeof finished === 'string')
    return { said: wrap(`contract: ${finished}`, 80, { whole: true }).join('\n'), results: [] }
  const { results, coverage, operations, leftovers } = finished
  expect(leftovers).toEqual([])
  const report = makeReport({
    kit: '0',
    target: target.baseUrl,
    runTag: kit.context.runTag,
    seed: kit.seed,
    strict: false,
    startedAt: '',
    seconds: 0,
    coverage,
    operations,
    results,
    waiverProblems: [],
    leftovers,
  })
  return { said: terminalReport(report), results }
}

let stop: (() => Promise<void>) | undefined
afterEach(async () => {
  await stop?.()
  stop = undefined
})

const serve = async (without: readonly Module[]): Promise<Running> => {
  const running = await startServer({ secret, without })
  stop = running.stop
  return running
}

/** The target in step 1, which has an address, a project and one key. */
const first = (baseUrl: string): Target => ({
  baseUrl,
  things: { groupId: '65b0a1c20f3a5d6e7f80a101' },
  roles: { PROJECT_OWNER: { apiKey: { publicKey: 'project-owner', privateKey: secret } } },
})

const whole = ({ url, controlUrl }: Running): Target => ({
  ...loadTarget(new URL('contract.target.json', folder)),
  baseUrl: url,
  hooks: { raiseEvent: { url: `${controlUrl}/events` }, advanceClock: { url: `${controlUrl}/clock` } },
})

const withoutHooks = ({ hooks: _, clusters: __, ...target }: Target): Target => target

const nobody = (): Promise<string> => {
  const server: Server = createServer((_, response) => response.writeHead(404).end('{}'))
  stop = () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )
}

/** Expects that nothing is wrong with the complete server, and that only the listed requirements can't be tested. */
const expectConformance = (results: readonly Result[]): void => {
  const told = (...verdicts: string[]) => results.filter(({ verdict }) => verdicts.includes(verdict))
  expect(told('FAIL', 'WARN', 'LENIENT', 'KIT ERROR')).toEqual([])
  expect(told('PASS').length).toBeGreaterThan(1000)
  // Only the sandbox records notifications. Only a seed creates organizations, callers with several roles, equal
  // timestamps, and lists that can be shortened or filled.
  const lackedBy = (requirement: string): RegExp => {
    if (requirement.startsWith('roles.')) return /the organization of the project|create resources/
    const isSeeded = /^(paging|resources)\.|\.in-one-project$/.test(requirement)
    return isSeeded ? /create resources/ : /read the sent notifications/
  }
  expect([...new Set(told('UNTESTABLE').map(({ requirement }) => requirement))].sort()).toEqual([
    'acknowledgeAlert.stops-notifications',
    'alert.in-one-project',
    'alert.notifies-targets',
    'alert.severity-override',
    'paging.default-size',
    'paging.links-lead',
    'paging.order',
    'paging.size-kept',
    'paging.total-count',
    'resources.links-array',
    'roles.needed-role-suffices',
    'roles.other-role-refused',
  ])
  for (const { reason, requirement } of told('UNTESTABLE')) expect(reason).toMatch(lackedBy(requirement))
}

const steps: readonly (readonly [string, () => Promise<Target>])[] = [
  ['2. ', async () => first(await nobody())],
  ['3. ', async () => first((await serve(['versions', 'schemas', 'roles'])).url)],
  ['4. ', async () => first((await serve(['schemas', 'roles'])).url)],
  ['5. ', async () => first((await serve(['roles'])).url)],
  ['6. ', async () => withoutHooks(whole(await serve(['roles'])))],
  ['7. ', async () => withoutHooks(whole(await serve([])))],
  ['8. ', async () => whole(await serve([]))],
]

test.each(steps)(
  "the quotes of tutorial step %s match the kit's output",
  async (heading, target) => {
    const given = await target()
    const { host } = new URL(given.baseUrl)
    const { said, results } = await judge(given)
    const lines = said
      .replaceAll(host, port)
      .split('\n')
      .map((line) => line.trimEnd())
    const quoted = quotedIn(heading)
    // In step 2, no operation is implemented, so the run stops with a single sentence.
    expect(quoted.length).toBeGreaterThan(heading === '2. ' ? 0 : 3)
    const missing = quoted.filter((line) => !lines.some((one) => isNear(line, one)))
    expect({ missing, said: missing.length > 0 ? lines : [] }).toEqual({ missing: [], said: [] })
    if (heading === '8. ') expectConformance(results)
  },
  600_000,
)

test("a quote doesn't match other words, or numbers that differ by more than 10 %", () => {
  expect(isNear('  PASS              5,840', '  PASS              5,900')).toBe(true)
  expect(isNear('  PASS              5,840', '  PASS              6,900')).toBe(false)
  expect(isNear('  PASS              5,840', '  FAIL              5,840')).toBe(false)
  expect(isNear('571 requirements, 5,834 results', '575 requirements, 5,834 results, seed 1, 3.0 s')).toBe(
    true,
  )
})
