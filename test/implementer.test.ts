import { loadTarget, openKit, type Result, type Selection, type Target } from '@svc-admin/contract'
import { operations } from '@svc-admin/types'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Clock } from '../examples/implementer/src/clock.ts'
import type { Fault } from '../examples/implementer/src/operations.ts'
import { areas } from '../examples/implementer/src/routes.ts'
import { type Running, startServer } from '../examples/implementer/src/server.ts'
import { World } from '../examples/implementer/src/world.ts'

// Tests a second implementation, which was written before the kit and only from the published documents. It shows that
// the kit tests against the documents, and not against the reference server. The tests of the tutorial run the kit on
// the complete implementation.

const secret = 'a-secret-of-the-test'

let server: Running | undefined
beforeAll(() => {
  process.env.IMPLEMENTER_SECRET = secret
})
afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** The example's target file, with the addresses of this test's server. */
const targetOf = ({ url, controlUrl }: Running): Target => ({
  ...loadTarget(new URL('../examples/implementer/contract.target.json', import.meta.url)),
  baseUrl: url,
  hooks: { raiseEvent: { url: `${controlUrl}/events` }, advanceClock: { url: `${controlUrl}/clock` } },
})

const judgeThis = async (running: Running, selection: Selection): Promise<readonly Result[]> => {
  const kit = await openKit({ target: targetOf(running), selection })
  const { results, leftovers } = await kit.run()
  expect(leftovers).toEqual([])
  return results
}

const judge = async (selection: Selection, fault?: Fault): Promise<readonly Result[]> => {
  server = await startServer({ secret, ...(fault && { fault }) })
  return judgeThis(server, selection)
}

const told = (results: readonly Result[], ...verdicts: string[]): string[] =>
  results
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ verdict, id, expected, actual, reason }) =>
      [verdict, id, reason ?? `expected ${expected}, got ${actual}`].join(' '),
    )

test.each([
  ['status-ignored', 'listAlerts.status-filters', 'FAIL'],
  ['secrets-returned', 'createAlertConfig.secrets-not-returned', 'WARN'],
  ['toggle-loses-matchers', 'toggleAlertConfig.changes-nothing-else', 'FAIL'],
  ['toggle-loses-severity', 'toggleAlertConfig.changes-nothing-else', 'FAIL'],
  ['toggle-keeps-one-notification', 'toggleAlertConfig.changes-nothing-else', 'FAIL'],
  ['update-merges', 'updateAlertConfig.left-out-defaults', 'WARN'],
  ['every-config-listed', 'listAlertConfigsByAlert.lists-the-configuration', 'FAIL'],
  ['roles-ignored', 'roles.other-role-refused', 'FAIL'],
  ['roles-ignored', 'identifiers.foreign-not-found', 'WARN'],
] as const)(
  'the kit detects the fault %s as %s',
  async (fault, requirement, verdict) => {
    const results = await judge({ areas, requirements: [requirement] }, fault)
    // Only a seed can create callers whose roles belong to another project.
    const unexpected = told(results, 'KIT ERROR', 'UNTESTABLE').filter(
      (line) => !line.includes('required role elsewhere'),
    )
    expect(unexpected).toEqual([])
    const found = results.filter((result) => result.requirement === requirement && result.verdict === verdict)
    const versions = new Set(found.map(({ version }) => version))
    expect([...versions]).toEqual(expect.arrayContaining(['v1.0', '2023-01-01']))
  },
  60_000,
)

const ours = Object.values(operations)
  .filter(({ area }) => areas.some((one) => one === area))
  .map(({ id }) => id)

test('serving unauthenticated callers or other tenants fails a stated requirement in every operation', async () => {
  const results = await judge({ areas, requirements: ['roles.without-role-refused'] }, 'roles-ignored')
  const served = (label: string) =>
    results.filter(({ variant, verdict }) => variant === label && verdict === 'FAIL')
  const operationsOf = (found: readonly Result[]) =>
    [...new Set(found.map(({ operation }) => operation))].sort()
  expect(operationsOf(served('noRole'))).toEqual([...ours].sort())
  expect(operationsOf(served('otherProject'))).toEqual(
    ours.filter((id) => id !== 'listMatcherFieldNames').sort(),
  )
  const foreign = served('all IDs').map(({ operation }) => operation)
  expect(foreign).toEqual(expect.arrayContaining(['deleteAlertConfig', 'getAlertConfig', 'listAlerts']))
}, 60_000)

test("another tenant's resources are only read, unless the target allows their loss", async () => {
  server = await startServer({ secret, fault: 'roles-ignored' })
  const { foreignMayBeLost: _, ...target } = targetOf(server)
  const requirements = ['roles.without-role-refused', 'identifiers.foreign-not-found']
  const kit = await openKit({ target, selection: { areas, requirements } })
  const foreign = (await kit.run()).results.filter(({ variant }) => variant.startsWith('all IDs'))
  const changing = foreign.filter(({ operation }) => /^(create|update|toggle|delete|ack)/.test(operation))
  expect(new Set(changing.map(({ reason }) => reason))).toEqual(
    new Set(["permission to change another tenant's resources (foreignMayBeLost)"]),
  )
  const reading = foreign.filter((result) => !changing.includes(result))
  expect(reading.filter(({ verdict }) => verdict === 'PASS' || verdict === 'UNTESTABLE')).toEqual([])
}, 60_000)

test('raises an alert without clusters', async () => {
  server = await startServer({ secret })
  const { clusters: _, ...target } = targetOf(server)
  const kit = await openKit({
    target,
    selection: { operations: ['getAlert'], requirements: ['acknowl', 'resources'] },
  })
  const { results } = await kit.run()
  expect(told(results, 'FAIL', 'WARN', 'UNTESTABLE', 'KIT ERROR')).toEqual([])
  expect(told(results, 'PASS').length).toBeGreaterThan(3)
}, 60_000)

test('a run leaves nothing that makes the next run fail', async () => {
  const selection = { areas, requirements: ['acknowledgeAlert', 'alert.', 'listAlert'] }
  const first = await judge(selection)
  if (server === undefined) throw new TypeError('the server was not started')
  const second = await judgeThis(server, selection)
  const verdicts = (results: readonly Result[]) => results.map(({ verdict, id }) => `${verdict} ${id}`)
  expect(verdicts(second)).toEqual(verdicts(first))
  expect(told(first, 'FAIL', 'WARN', 'KIT ERROR')).toEqual([])
}, 120_000)

test('returns 404 for paths of other areas, for all callers', async () => {
  server = await startServer({ secret })
  const path = operations.getCustomDns.path.replace('{groupId}', '65b0a1c20f3a5d6e7f80a101')
  const response = await fetch(`${server.url}/api/svc/v2${path}`)
  expect([response.status, await response.json()]).toMatchObject([404, { errorCode: 'RESOURCE_NOT_FOUND' }])
})

test('handles unspecified behavior as its README describes', () => {
  const clock = new Clock()
  const world = new World(clock)
  const webhook = {
    typeName: 'WEBHOOK',
    webhookUrl: 'https://hooks.example',
    webhookSecret: 'secret',
  } as const
  const request = { eventTypeName: 'HOST_DOWN', enabled: true, notifications: [webhook] }
  const config = world.createConfig('project', request)
  const event = { groupId: 'project', eventTypeName: 'HOST_DOWN', clusterName: 'orders' }
  const [id = ''] = world.applyEvent(event)
  world.acknowledge(world.alert('project', id), { until: clock.now() + 60_000, username: 'somebody' })
  expect(world.alert('project', id).acknowledgement).toBeDefined()
  clock.advance(60)
  expect(world.alert('project', id).acknowledgement).toBeUndefined()

  const { webhookSecret: _, ...read } = config.notifications[0] as typeof webhook & { notifierId: string }
  world.replaceConfig(config, { ...request, notifications: [read] })
  expect(config.notifications).toEqual([read])

  const matchers = [{ fieldName: 'HOSTNAME', operator: 'NOT_EQUALS', value: 'orders-0' }]
  world.replaceConfig(config, { ...request, matchers })
  expect(world.applyEvent({ ...event, clusterName: 'another' })).toEqual([])
})
