import { always, type Rule, type RuleOptions, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type Json, type JsonObject, listAt, stringAt } from '../../document/json.ts'
import { knownEventType } from '../../given/given.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable, Violation } from '../../model/signals.ts'
import {
  acknowledge,
  type Condition,
  type ConditionOptions,
  idsIn,
  inSeconds,
  readAlert,
  watchedEvent,
  withAlert,
  withCondition,
  withTwoConfigs,
} from '../../resources/alerts.ts'
import { prepared } from '../../resources/backups.ts'
import { allItems, idOf } from '../../resources/lists.ts'
import { only } from '../../resources/successful-response.ts'

const minute = 60

/** Reads the alert with the operation under test, either by ID or from the list. */
const statusOf = async (trial: Trial, alertId: string): Promise<string | undefined> => {
  if (trial.cell.operation.id === 'getAlert') return (await readAlert(trial, alertId)).status
  const { items } = await allItems(trial, 'listAlerts')
  const found = items.find((alert) => idOf(alert) === alertId)
  return stringAt(found, 'status')
}

const expectStatus = async (trial: Trial, alertId: string, expected: string): Promise<void> => {
  const actual = await statusOf(trial, alertId)
  const { exchange } = await readAlert(trial, alertId)
  expectThat(actual === expected, {
    expected: `status ${expected}`,
    actual: `status ${actual ?? 'nothing'}`,
    exchange,
  })
}

/** These checks run one at a time, because all checks share the conditions and the clock. */

const ofConfig = async (trial: Trial, alertConfigId: string) => {
  const { items, exchange } = await allItems(trial, 'listAlerts')
  return { exchange, raised: items.filter((alert) => stringAt(alert, 'alertConfigId') === alertConfigId) }
}

const raisesNothing = (options: ConditionOptions, ruleOptions: RuleOptions = {}): Rule =>
  timed(
    (trial) =>
      withCondition(
        trial,
        async (condition) => {
          const { raised, exchange } = await ofConfig(trial, condition.alertConfigId)
          const actual = `${raised.length} alerts`
          expectThat(raised.length === 0, { expected: 'no alert', actual, exchange })
        },
        options,
      ),
    ruleOptions,
  )

const expectRaised = async (trial: Trial, alertConfigId: string): Promise<void> => {
  const { raised, exchange } = await ofConfig(trial, alertConfigId)
  expectThat(raised.length > 0, { expected: 'an alert from the configuration', actual: 'none', exchange })
}

const raises = (options: ConditionOptions, ruleOptions: RuleOptions = {}): Rule =>
  timed(
    (trial) => withCondition(trial, ({ alertConfigId }) => expectRaised(trial, alertConfigId), options),
    ruleOptions,
  )

const readConfig = async (trial: Trial, alertConfigId: string): Promise<Json> =>
  bodyOf(await trial.send(await trial.callOf('getAlertConfig', { parameters: { alertConfigId } })))

/** Sends a configuration back with some changes. */
const changeConfig = async (trial: Trial, alertConfigId: string, changes: JsonObject): Promise<void> => {
  const parameters = { alertConfigId }
  const config = await readConfig(trial, alertConfigId)
  const body = { ...only(config, 'enabled', 'eventTypeName', 'matchers', 'notifications'), ...changes }
  prepared(
    await trial.send(await trial.callOf('updateAlertConfig', { parameters, body })),
    'an updated configuration',
  )
}

const changed =
  (changes: JsonObject) =>
  (trial: Trial, alertConfigId: string): Promise<void> =>
    changeConfig(trial, alertConfigId, changes)

const toggled =
  (enabled: boolean) =>
  async (trial: Trial, alertConfigId: string): Promise<void> => {
    const call = await trial.callOf('toggleAlertConfig', { parameters: { alertConfigId }, body: { enabled } })
    prepared(await trial.send(call), 'a toggled configuration')
  }

const raisesForBoth = (trial: Trial): Promise<void> =>
  withTwoConfigs(trial, async ({ alertConfigId }, other) => {
    for (const id of [alertConfigId, other]) await expectRaised(trial, id)
  })

/** Raises another event of the same type after the first condition ended. Expects a new alert. */
const raisedAgain = async (trial: Trial, condition: Condition): Promise<void> => {
  await expectRaised(trial, condition.alertConfigId)
  await condition.end()
  await condition.start()
  const { raised, exchange } = await ofConfig(trial, condition.alertConfigId)
  const open = raised.filter((alert) => stringAt(alert, 'status') !== 'CLOSED')
  const actual = `${raised.length} alerts, of which ${open.length} aren't CLOSED`
  expectThat(open.length > 0, { expected: 'an alert that is not CLOSED', actual, exchange })
}

/**
 * Both targets of a configuration are notified of its alert. A notification may contain the target's ID or its email
 * address.
 */
const notifiesBoth = (trial: Trial): Promise<void> =>
  withAlert(
    trial,
    async (alertId, { alertConfigId, notificationsOf }) => {
      const { prerequisites } = trial.context
      await prerequisites.advanceClock(11 * minute)
      const { exchange } = await readAlert(trial, alertId)
      const sent = JSON.stringify(await notificationsOf(alertId))
      const targets = listAt(await readConfig(trial, alertConfigId), 'notifications').map((target) =>
        ['notifierId', 'emailAddress'].flatMap((name) => stringAt(target, name) ?? []),
      )
      const notified = targets.filter((marks) => marks.some((mark) => sent.includes(`"${mark}"`)))
      if (notified.length === 0) throw new Untestable('notifications that contain their target')
      const actual = `notifications to ${notified.length} of ${targets.length} targets`
      expectThat(notified.length === targets.length, {
        expected: 'a notification to each target',
        actual,
        exchange,
      })
    },
    { delays: [0, 0] },
  )

/** Alerts with a status that the specification doesn't mention may be open. */
const notOpen: ReadonlySet<string> = new Set(['TRACKING', 'CLOSED'])

/** Expects the configuration's list to contain the alert only if the alert is open. */
const expectListedWhileOpen = async (trial: Trial, alertId: string, alertConfigId: string): Promise<void> => {
  const { status } = await readAlert(trial, alertId)
  const exchange = await trial.try({ parameters: { alertConfigId } })
  const listed = idsIn(exchange).includes(alertId)
  if (listed === (status === 'OPEN') || (listed && !notOpen.has(status))) return
  // The status may have changed since it was read.
  if ((await readAlert(trial, alertId)).status !== status) return
  throw new Violation({
    expected: `a list with${listed ? 'out' : ''} ${alertId}, because its status is ${status}`,
    actual: `a list with${listed ? '' : 'out'} it`,
    exchange,
  })
}

export default rules({
  'alert.raised-from-event': [
    raises({}),
    raises({ enabled: false, beforeEvent: toggled(true) }, { label: 'configuration that was enabled' }),
    raises(
      { eventTypeName: knownEventType, beforeEvent: changed({ eventTypeName: watchedEvent }) },
      { label: 'configuration that was given the event type' },
    ),
    timed(raisesForBoth, { label: 'two configurations' }),
    timed((trial) => withCondition(trial, (condition) => raisedAgain(trial, condition)), {
      label: 'second event after the alert was closed',
    }),
  ],

  'alert.disabled-raises-nothing': [
    raisesNothing({ enabled: false }),
    raisesNothing({ beforeEvent: toggled(false) }, { label: 'configuration that was toggled off' }),
    raisesNothing(
      { beforeEvent: changed({ enabled: false }) },
      { label: 'configuration that was disabled by an update' },
    ),
  ],

  'alert.matchers-decide': raisesNothing({
    matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'no-such-cluster' }],
  }),

  'alert.tracking-until-delay': timed((trial) =>
    withAlert(trial, (alertId) => expectStatus(trial, alertId, 'TRACKING'), { delays: [10] }),
  ),

  'alert.open-after-delay': timed((trial) =>
    withAlert(
      trial,
      async (alertId) => {
        await trial.context.prerequisites.advanceClock(11 * minute)
        await expectStatus(trial, alertId, 'OPEN')
      },
      { delays: [10] },
    ),
  ),

  'alert.closed-when-gone': timed((trial) =>
    withAlert(trial, async (alertId, condition) => {
      await condition.end()
      await expectStatus(trial, alertId, 'CLOSED')
      const { alert, exchange } = await readAlert(trial, alertId)
      const resolved = stringAt(alert, 'resolved')
      expectThat(resolved !== undefined, { expected: 'resolved', actual: 'no resolved', exchange })
    }),
  ),

  'alert.notifies-targets': [
    timed((trial) =>
      withAlert(trial, async (alertId, { notificationsOf }) => {
        const { advanceClock } = trial.context.prerequisites
        await advanceClock(11 * minute)
        const { exchange } = await readAlert(trial, alertId)
        const sent = (await notificationsOf(alertId)).length
        expectThat(sent > 0, { expected: 'notifications of the open alert', actual: 'none', exchange })
        await acknowledge(trial, alertId, { acknowledgedUntil: await inSeconds(trial, 60 * minute) })
        await advanceClock(11 * minute)
        await readAlert(trial, alertId)
        const later = (await notificationsOf(alertId)).length
        expectThat(later === sent, {
          expected: 'no notifications after the alert was acknowledged',
          actual: `${later - sent} more`,
          exchange,
        })
      }),
    ),
    timed(notifiesBoth, { label: 'two targets' }),
  ],

  'alert.severity-override': timed((trial) =>
    withAlert(
      trial,
      async (alertId, { notificationsOf }) => {
        await trial.context.prerequisites.advanceClock(minute)
        const { exchange } = await readAlert(trial, alertId)
        const [notice] = await notificationsOf(alertId)
        const actual = JSON.stringify(notice)
        expectThat(actual?.includes('CRITICAL') ?? false, {
          expected: 'severity CRITICAL',
          actual,
          exchange,
        })
      },
      { severityOverride: 'CRITICAL' },
    ),
  ),

  'listAlertsByAlertConfig.open-only': [
    timed((trial) =>
      withAlert(trial, async (alertId, { alertConfigId, end }) => {
        const parameters = { alertConfigId }
        const open = await trial.try({ parameters })
        expectThat(idsIn(open).includes(alertId), {
          expected: `a list that includes ${alertId}`,
          actual: 'a list without it',
          exchange: open,
        })
        const one = listAt(bodyOf(open), 'results').every(
          (alert) => stringAt(alert, 'alertConfigId') === alertConfigId,
        )
        expectThat(one, {
          expected: 'only alerts of the configuration',
          actual: 'also other alerts',
          exchange: open,
        })
        await acknowledge(trial, alertId, { acknowledgedUntil: await inSeconds(trial, 60 * minute) })
        await expectListedWhileOpen(trial, alertId, alertConfigId)
        await changeConfig(trial, alertConfigId, { severityOverride: 'CRITICAL' })
        await expectListedWhileOpen(trial, alertId, alertConfigId)
        await end()
        const closed = await trial.try({ parameters })
        expectThat(!idsIn(closed).includes(alertId), {
          expected: 'no closed alert',
          actual: alertId,
          exchange: closed,
        })
      }),
    ),
    timed(
      (trial) =>
        withAlert(
          trial,
          async (alertId, { alertConfigId }) => {
            await expectListedWhileOpen(trial, alertId, alertConfigId)
            await trial.context.prerequisites.advanceClock(11 * minute)
            await expectListedWhileOpen(trial, alertId, alertConfigId)
          },
          { delays: [10] },
        ),
      { label: 'alert with a delay' },
    ),
    always(
      async (trial) => {
        const exchange = await trial.try()
        expectSuccess(exchange)
        const other = listAt(bodyOf(exchange), 'results')
          .map((alert) => stringAt(alert, 'status'))
          .find((status) => notOpen.has(status ?? ''))
        expectThat(other === undefined, {
          expected: 'only alerts with status OPEN',
          actual: `also an alert with status ${other}`,
          exchange,
        })
      },
      { label: 'status of all alerts' },
    ),
  ],
})
