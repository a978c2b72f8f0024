import type { OperationId } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { listAt, numberAt, stringAt } from '../document/json.ts'
import { loadApi } from '../model/api.ts'
import { Untestable } from '../model/signals.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import { fullClusters } from './clusters.ts'
import { givenParameters, knownEventType, raiseAlerts } from './given.ts'

const api = loadApi()
const target = demoTarget({ baseUrl: 'http://127.0.0.1:1' })
const own = '0'.repeat(24)

/**
 * Creates a run context with a target that creates alert configurations and raises alerts, both for
 * this run and for another one.
 */
const raising = ({ readOnly = false, alerts = ['a', 'b'], open = [] as object[] } = {}) => {
  const [sent, raised]: [string[], unknown[]] = [[], []]
  const refuse = () => expect.fail('no credentials are asked for')
  const context = createRunContext({
    api,
    target: { ...target, readOnly },
    runTag: 'test',
    journal: openJournal(),
    session: {
      challenge: refuse,
      token: refuse,
      forget: () => {},
      waits: () => 0,
      async send(request) {
        sent.push(`${request.method} ${request.path.split('/').slice(-2).join('/')}`)
        const made = { id: own }
        const alert = { alertConfigId: request.path.endsWith('/b') ? own : 'of somebody else' }
        const read = /\/alerts(\?|$)/.test(request.path) ? { results: open } : alert
        const body = JSON.stringify(request.method === 'POST' ? made : read)
        return { url: '', request, response: { status: 200, reason: '', headers: [], body }, milliseconds: 0 }
      },
    },
    prerequisites: {
      ...createPrerequisites(target),
      canRaiseEvents: true,
      event: async (event) => {
        raised.push(event)
        return raised.length > 1 ? [] : alerts
      },
    },
  })
  const parametersOf = (operation: OperationId) => {
    const cell = api.cells.find((one) => one.operation.id === operation)
    return cell ? givenParameters(context, cell) : expect.fail('no such operation')
  }
  return { context, sent, raised, parametersOf }
}

test('the alert under test belongs to an alert configuration of the run', async () => {
  const { parametersOf, raised } = raising()
  expect(await parametersOf('getAlertConfig')).toMatchObject({ alertConfigId: own })
  expect(await parametersOf('getAlert')).toMatchObject({ alertId: 'b' })
  expect(raised.length).toBeGreaterThan(0)
})

test('without an alert of the run, no alert is tested', async () => {
  const { context } = raising({ alerts: ['a'] })
  await expect(raiseAlerts(context, own, 1)).rejects.toBeInstanceOf(Untestable)
})

test('events concern clusters without an open alert of the same type, if there are any', async () => {
  const clustersOf = async (open: object[]) => {
    const { context, raised } = raising({ open })
    await raiseAlerts(context, own, 1)
    return raised.map((event) => (event as { clusterName?: string }).clusterName)
  }
  const [first = expect.fail(), ...others] = fullClusters(raising().context).map(({ name }) => name)
  const alertOf = (clusterName: string, eventTypeName = knownEventType) => ({ eventTypeName, clusterName })
  expect(await clustersOf([])).toEqual([first])
  expect(await clustersOf([alertOf(first, 'ANOTHER_EVENT')])).toEqual([first])
  expect(await clustersOf([alertOf(first)])).toEqual([others[0]])
  expect(await clustersOf([first, ...others].map((name) => alertOf(name)))).toEqual([first])
})

test('a read-only run creates and raises nothing and uses the resources that the target names', async () => {
  const { parametersOf, sent, raised } = raising({ readOnly: true })
  const { alertConfigId, alertId } = target.things
  expect(await parametersOf('getAlertConfig')).toMatchObject({ alertConfigId })
  expect(await parametersOf('getAlert')).toMatchObject({ alertId })
  await expect(parametersOf('deleteAlertConfig')).rejects.toBeInstanceOf(Untestable)
  expect([sent, raised]).toEqual([[], []])
})

test('in a good body, no field is at a bound set by another field, so an error there fails only one check', () => {
  const daysOf: Readonly<Record<string, number>> = { days: 1, weeks: 7, months: 31, years: 366 }
  const seen: string[] = []
  for (const { key, definition } of api.cells) {
    const body = definition.body?.examples[0]
    const days = numberAt(body, 'restoreWindowDays')
    const items = [body, ...listAt(body, 'policies')].flatMap((one) => [
      ...listAt(one, 'policyItems'),
      ...listAt(one, 'scheduledPolicyItems'),
    ])
    const kept = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'].flatMap((frequency) =>
      items
        .filter((one) => stringAt(one, 'frequencyType') === frequency)
        .map(
          (one) =>
            (numberAt(one, 'retentionValue') ?? 0) * (daysOf[stringAt(one, 'retentionUnit') ?? ''] ?? 0),
        ),
    )
    const growing = [...(days === undefined ? [] : [days]), ...kept]
    if (growing.length > 1) seen.push(key)
    for (const [index, value] of growing.slice(1).entries())
      expect(value, key).toBeGreaterThan(growing[index] ?? 0)
  }
  expect(seen).not.toEqual([])
})
