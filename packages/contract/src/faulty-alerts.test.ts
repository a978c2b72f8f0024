import { expect, test } from 'vitest'
import { dated, outcomeIn, seeding } from '../test/context-over.ts'
import alertProject from './cases/alerts/alert-project.ts'
import lifecycle from './cases/alerts/lifecycle.ts'
import { isObject, type JsonObject, parseJson, stringAt } from './document/json.ts'
import removals from './rules/changes/removals.ts'

interface Alert extends JsonObject {
  id: string
  alertConfigId: string
  status: string
}

interface Faults {
  /** Returns the configurations that raise an alert, out of those that should. */
  readonly raising?: (due: readonly JsonObject[], all: readonly JsonObject[]) => readonly JsonObject[]
  /** Whether a condition that ended can raise another alert. */
  readonly raisesOnce?: boolean
  /** Whether configurations can be enabled after their removal. */
  readonly togglesRemoved?: boolean
  /** Returns the identifiers of a raised alert. */
  readonly identifiers?: (groupId: string, orgId: string) => JsonObject
}

const idOf = (number: number): string => number.toString(16).padStart(24, '0')

/** Creates a server with alert configurations, whose events raise alerts. */
const alertServer = (faults: Faults) => {
  const { raising = (due) => due, raisesOnce = false, togglesRemoved = false } = faults
  const { identifiers = (groupId, orgId) => ({ groupId, orgId }) } = faults
  const configs = new Map<string, JsonObject>()
  const originals = new Map<string, JsonObject>()
  let alerts: Alert[] = []
  const organizationOf = (groupId: string): string =>
    stringAt(
      seeded.rows.get('projects')?.find(({ id }) => id === groupId),
      'orgId',
    ) ?? idOf(2048)
  const raise = (raisedType: string, groupId: string): string[] => {
    const own = identifiers(groupId, organizationOf(groupId))
    const all = [...configs.values()]
    const due = all.filter(({ enabled, eventTypeName }) => enabled && eventTypeName === raisedType)
    const raised = raising(due, [...originals.values()]).flatMap(({ id }): Alert[] => {
      const alertConfigId = String(id)
      const isKnown = alerts.some(
        (one) => one.alertConfigId === alertConfigId && (raisesOnce || one.status === 'OPEN'),
      )
      return isKnown ? [] : [{ id: idOf(4096 + alerts.length), alertConfigId, status: 'OPEN', ...own }]
    })
    alerts = [...alerts, ...raised]
    return raised.map(({ id }) => id)
  }
  const end = (): string[] => {
    alerts = alerts.map((alert) => ({ ...alert, status: 'CLOSED' }))
    return []
  }
  const notFound = [404, { error: 404, errorCode: 'RESOURCE_NOT_FOUND' }] as const
  const seeded = seeding(
    ({ method, path, body }) => {
      const sent = parseJson(body ?? '')
      const fields = isObject(sent) ? sent : {}
      const id = path.split('/').at(-1) ?? ''
      if (path.includes('/alerts')) {
        const one = alerts.find((alert) => alert.id === id)
        return one ? [200, one] : [200, { results: alerts, totalCount: alerts.length }]
      }
      if (method === 'POST') {
        const config = { ...fields, id: idOf(originals.size + 1) }
        originals.set(config.id, config)
        configs.set(config.id, config)
        return [200, config]
      }
      const known = configs.get(id) ?? (togglesRemoved && method === 'PATCH' ? originals.get(id) : undefined)
      if (known === undefined) return notFound
      if (method === 'DELETE') {
        configs.delete(id)
        return [204]
      }
      const changed = { ...known, ...fields }
      if (method !== 'GET') configs.set(id, changed)
      return [200, changed]
    },
    { event: ({ active, eventTypeName, groupId }) => (active ? raise(eventTypeName, groupId) : end()) },
  )
  return seeded.context
}

const lifecycleOutcome = (faults: Faults, rule: keyof typeof lifecycle, label: string): Promise<string> =>
  outcomeIn(alertServer(faults), dated('getAlert'), lifecycle[rule], label)

test.each([
  [
    'configuration that was enabled',
    { raising: (due, all) => due.filter(({ id }) => all.some((one) => one.id === id && one.enabled)) },
  ],
  [
    'configuration that was given the event type',
    {
      raising: (due, all) =>
        due.filter(({ id }) =>
          all.some((one) => one.id === id && one.eventTypeName !== 'DEPLOYMENT_FAILURE'),
        ),
    },
  ],
  ['two configurations', { raising: (due) => due.slice(0, 1) }],
  ['second event after the alert was closed', { raisesOnce: true }],
] satisfies [string, Faults][])('an event raises an alert: %s', async (label, faults) => {
  expect(await lifecycleOutcome(faults, 'alert.raised-from-event', label)).toBe('Violation')
  expect(await lifecycleOutcome({}, 'alert.raised-from-event', label)).toBe('passed')
})

test.each(['configuration that was toggled off', 'configuration that was disabled by an update'])(
  'disabled configurations raise nothing: %s',
  async (label) => {
    const raising: Faults['raising'] = (due, all) => [
      ...due,
      ...all.filter(({ eventTypeName }) => eventTypeName !== 'DEPLOYMENT_FAILURE'),
    ]
    expect(await lifecycleOutcome({ raising }, 'alert.disabled-raises-nothing', label)).toBe('Violation')
    expect(await lifecycleOutcome({}, 'alert.disabled-raises-nothing', label)).toBe('passed')
  },
)

test.each([
  ['enables a configuration after its removal', { togglesRemoved: true }, 'Violation'],
  ['rejects requests for a removed configuration', {}, 'passed'],
])('a server that %s', async (_, faults, expected) => {
  const rule = removals['resources.removed-refused']
  expect(await outcomeIn(alertServer(faults), dated('deleteAlertConfig'), rule)).toBe(expected)
})

test.each<[string, Faults, string, string]>([
  [
    'another organization',
    { identifiers: (groupId) => ({ groupId, orgId: groupId }) },
    'alert in a new project',
    'stated',
  ],
  [
    'another project',
    { identifiers: (_, orgId) => ({ groupId: orgId, orgId }) },
    'alert in a new project',
    'stated',
  ],
  ['no organization', { identifiers: (groupId) => ({ groupId }) }, 'alert in a new project', 'passed'],
  ['its own organization', {}, 'alert in a new project', 'passed'],
  ['its own organization', {}, 'raised alert', 'passed'],
])('an alert that shows %s', async (_, faults, label, expected) => {
  const rule = alertProject['alert.in-one-project']
  expect(await outcomeIn(alertServer(faults), dated('getAlert'), rule, label)).toBe(expected)
})

test('a raised alert that shows another organization than the other alerts of its project', async () => {
  const organizations = [idOf(1), idOf(2)]
  const identifiers = (groupId: string): JsonObject => ({ groupId, orgId: organizations.pop() ?? idOf(1) })
  const rule = alertProject['alert.in-one-project']
  const context = alertServer({ identifiers })
  expect(await outcomeIn(context, dated('getAlert'), rule, 'raised alert')).toBe('Violation')
})

test.each([
  ['both targets', ['n1', 'n2'], 'passed'],
  ['only the first target', ['n1', 'n1'], 'Violation'],
  ['targets that notifications do not name', ['x', 'y'], 'Untestable'],
])('an alert notifies %s', async (_, notified, expected) => {
  const [alertId, alertConfigId] = [idOf(1), idOf(2)]
  const notifications = ['n1', 'n2'].map((notifierId) => ({ notifierId }))
  const { context } = seeding(
    ({ method, path }) => {
      if (method === 'DELETE') return [204]
      if (path.includes('/alertConfigs')) return [200, { id: alertConfigId, notifications }]
      return [200, { id: alertId, alertConfigId, status: 'OPEN' }]
    },
    { event: () => [alertId], outbox: () => notified.map((notifierId) => ({ alertId, notifierId })) },
  )
  const rule = lifecycle['alert.notifies-targets']
  expect(await outcomeIn(context, dated('getAlert'), rule, 'two targets')).toBe(expected)
})
