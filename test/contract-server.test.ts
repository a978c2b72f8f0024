import { demoTarget, openKit, type Result, type Selection, type Target } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingPrerequisitesOf } from '../packages/contract/src/command/missing.ts'
import { statusesSeen } from '../packages/contract/src/report/coverage.ts'
import { openOwnWorld } from '../packages/contract/src/run-context/own-world.ts'
import { countRows } from './sandbox-rows.ts'

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ sandbox: true })
})
afterEach(() => server.stop())

const kitOn = ({ url, controlUrl }: RunningServer, selection: Selection = {}) =>
  openKit({
    target: demoTarget({ baseUrl: url, ...(controlUrl && { control: controlUrl }) }),
    selection,
    seed: 7,
  })

const told = (results: readonly Result[]) => results.map(({ id, verdict }) => `${verdict} ${id}`)

test('the reference server meets every requirement, and all of them are testable', {
  timeout: 600_000,
}, async () => {
  const before = await countRows(server)
  const kit = await kitOn(server)
  const { results, coverage, leftovers } = await kit.run()
  const wanting = results.filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
  expect(
    wanting.map(({ id, verdict, expected, actual, reason }) => ({ id, verdict, expected, actual, reason })),
  ).toEqual([])
  expect(results.length).toBeGreaterThan(5000)
  const { seen, declared } = statusesSeen(coverage, results)
  expect(declared).toBeGreaterThan(900)
  expect(seen / declared).toBeGreaterThanOrEqual(0.95)
  expect(leftovers).toEqual([])
  expect(await countRows(server)).toEqual(before)
})

test('a run restores the clock and its rate', async () => {
  const day = 24 * 3600 * 1000
  const start = Date.now() + 1000 * day
  await server.world.clock.set({ now: start, rate: 2 })
  const kit = await kitOn(server, { operations: ['getAlert'], versions: ['v1.0'] })
  await kit.run()
  const { now, rate } = await server.world.clock.read()
  expect(rate).toBe(2)
  expect(now).toBeGreaterThanOrEqual(start)
  expect(now).toBeLessThan(start + day)
})

test('the same seed gives the same verdicts', { timeout: 300_000 }, async () => {
  const selection = { operations: ['createAlertConfig', 'listSnapshots'], versions: ['2024-05-30'] }
  const one = await (await kitOn(server, selection)).run()
  const other = await (await kitOn(server, selection)).run()
  expect(told(other.results)).toEqual(told(one.results))
})

test("parallel runs use separate worlds and don't affect each other", {
  timeout: 300_000,
}, async () => {
  const { url: baseUrl, controlUrl: control } = server
  const selection = { operations: ['acknowledgeAlert', 'issueToken'], brief: true }
  const target = demoTarget({ baseUrl, ...(control && { control }) })
  const runIn = async (seed: number) => {
    const own = await openOwnWorld(target)
    const { results } = await (await openKit({ target: own.target, selection, seed })).run()
    await own.remove()
    return results.filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
  }
  expect(await Promise.all([runIn(1), runIn(2), runIn(3)])).toEqual([[], [], []])
})

const lean = ({ roles, things: { groupId = '' }, baseUrl }: Target): Target => {
  const { apiKey } = roles.PROJECT_OWNER ?? {}
  return { baseUrl, things: { groupId }, roles: { PROJECT_OWNER: apiKey ? { apiKey } : {} } }
}

test.each([
  ['one key', lean, 2],
  // With this target, most checks can run, which would take a long time. Therefore, this case runs only a shard in
  // which every gap occurs.
  ['only the API', (target: Target) => target, 5],
] as const)(
  "doctor names a missing prerequisite for everything that a run with %s can't test",
  {
    timeout: 300_000,
  },
  async (_, leave, of) => {
    const target = leave(demoTarget({ baseUrl: server.url }))
    const kit = await openKit({ target, selection: { brief: true, shard: { index: 1, of } }, seed: 7 })
    const cases = new Map(kit.plan.cases.map((one) => [one.id, one]))
    const { results } = await kit.run()
    const untestable = results.filter(({ verdict }) => verdict === 'UNTESTABLE')
    expect(untestable.length).toBeGreaterThan(200)
    const unforeseen = untestable.filter(({ id }) => {
      const one = cases.get(id)
      return one !== undefined && missingPrerequisitesOf(target, [one]).length === 0
    })
    expect(unforeseen.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
  },
)
