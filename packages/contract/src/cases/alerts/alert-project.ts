import { always, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isArray, type Json, stringAt, valueAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { bodyOf, expectServed, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { configFor, watchedEvent, withAlert } from '../../resources/alerts.ts'
import { prepared } from '../../resources/backups.ts'
import { allItems, idOf } from '../../resources/lists.ts'
import { ownProject, sendRequest } from '../../resources/own-resources.ts'
import { expectField, fieldOf } from '../../resources/successful-response.ts'

/** Returns the alerts in a response, which contains either a list or a single alert. */
const alertsIn = (exchange: Exchange): readonly Json[] => {
  expectServed(exchange)
  const body = bodyOf(exchange)
  const results = valueAt(body, '/results')
  const alerts = isArray(results) ? results : [body]
  if (alerts.length === 0) throw new Untestable('an alert in the response')
  return alerts
}

/** Expects the alerts to have the given identifier. A separate requirement reports missing fields. */
const expectIdentifier = (exchange: Exchange, name: 'groupId' | 'orgId', expected: string): void => {
  for (const body of alertsIn(exchange))
    if (fieldOf(body, name) !== undefined) expectField({ exchange, body }, name, expected)
}

/** Expects the alerts in the response and the project's other alerts to have the same `orgId`. */
const expectOneProject = async (
  trial: Trial,
  parameters: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { groupId = '' } = (await trial.good()).parameters
  const exchange = await trial.try({ parameters })
  expectIdentifier(exchange, 'groupId', groupId)
  const { items } = await allItems(trial, 'listAlerts')
  const examples = new Map<string, string>()
  for (const alert of [...items, ...alertsIn(exchange)]) {
    const orgId = stringAt(alert, 'orgId')
    if (orgId !== undefined) examples.set(orgId, idOf(alert))
  }
  expectThat(examples.size <= 1, {
    expected: 'the same orgId in all alerts of the project',
    actual: [...examples].map(([orgId, alertId]) => `${orgId} in ${alertId}`).join(', '),
    exchange,
  })
}

/** Raises an alert in a new project, whose organization is known. */
const expectOwnOrganization = async (trial: Trial): Promise<void> => {
  const { context } = trial
  if (!context.prerequisites.canRaiseEvents) throw new Untestable('an alert that an event raised')
  const place = await ownProject(context)
  const { groupId, orgId } = place
  const body = configFor(trial)
  const config = prepared(
    await sendRequest(trial, place, { body }, 'createAlertConfig'),
    'an alert configuration in a new project',
  )
  const event = { groupId, eventTypeName: watchedEvent }
  try {
    const [alertId] = await context.prerequisites.event({ ...event, active: true })
    if (alertId === undefined) throw new Untestable('an alert that an event raised')
    const parameters = { alertId, alertConfigId: stringAt(config, 'id') ?? '' }
    const exchange = await sendRequest(trial, place, { parameters })
    expectIdentifier(exchange, 'groupId', groupId)
    expectIdentifier(exchange, 'orgId', orgId)
  } finally {
    await context.prerequisites.event({ ...event, active: false })
  }
}

export default rules({
  'alert.in-one-project': [
    always((trial) => expectOneProject(trial)),
    timed(
      (trial) =>
        withAlert(trial, (alertId, { alertConfigId }) => expectOneProject(trial, { alertId, alertConfigId })),
      { label: 'raised alert' },
    ),
    timed(expectOwnOrganization, { label: 'alert in a new project' }),
  ],
})
