import { type Rule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Exchange } from '../../http/exchange.ts'
import { describeResponse, expectSuccess, expectThat, isRefusal } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  acknowledgedFor,
  century,
  hour,
  labeled,
  onAlert,
  saysHowToUnacknowledge,
  unacknowledge,
} from '../../resources/acknowledgements.ts'
import { type Condition, inSeconds, readAlert, withTwoConfigs } from '../../resources/alerts.ts'

/** Advances the clock. Expects the target to send no notifications about the alert in the meantime. */
const expectSilent = async (
  trial: Trial,
  alertId: string,
  { notificationsOf }: Condition,
  seconds: number,
): Promise<void> => {
  const before = (await notificationsOf(alertId)).length
  await trial.context.prerequisites.advanceClock(seconds)
  const { exchange } = await readAlert(trial, alertId)
  const during = (await notificationsOf(alertId)).length - before
  expectThat(during === 0, { expected: 'no notification while acknowledged', actual: `${during}`, exchange })
}

/** An alert that a check acknowledges, and another alert from the same event, which stays unacknowledged. */
interface Pair {
  readonly alertId: string
  /** `undefined` if the event raised only one alert. */
  readonly otherId: string | undefined
  readonly condition: Condition
}

const onTwoAlerts = (use: (trial: Trial, pair: Pair) => Promise<void>): Rule =>
  timed((trial) =>
    withTwoConfigs(trial, async (condition, otherConfigId) => {
      const [[alertId], [otherId]] = [condition.alertIds, await condition.alertsOf(otherConfigId)]
      if (alertId === undefined) throw new Untestable('an alert that an event raised')
      await use(trial, { alertId, otherId, condition })
    }),
  )

interface Notified {
  readonly exchange: Exchange
  /** The number of notifications about each alert. */
  readonly own: number
  readonly other: number
}

/** Advances the clock, and counts the notifications about each alert that the target sends in the meantime. */
const notifiedDuring = async (trial: Trial, pair: Pair, seconds: number): Promise<Notified> => {
  const { alertId, otherId, condition } = pair
  const counts = async (): Promise<[number, number]> => [
    (await condition.notificationsOf(alertId)).length,
    otherId === undefined ? 0 : (await condition.notificationsOf(otherId)).length,
  ]
  const before = await counts()
  await trial.context.prerequisites.advanceClock(seconds)
  if (otherId !== undefined) await readAlert(trial, otherId)
  const { exchange } = await readAlert(trial, alertId)
  const after = await counts()
  return { exchange, own: after[0] - before[0], other: after[1] - before[1] }
}

/** Returns whether the target still sends notifications about both alerts in the second hour. */
const repeatsNotifications = async (trial: Trial, pair: Pair): Promise<boolean> => {
  await notifiedDuring(trial, pair, hour)
  const { own, other } = await notifiedDuring(trial, pair, hour)
  return own > 0 && other > 0
}

/**
 * Expects notifications in the hour after the end of an acknowledgement. The specification doesn't say how often a
 * target repeats notifications. Therefore, missing notifications are a stated violation only if the target repeated
 * them before, and if it still sends notifications about the other alert.
 */
const expectNotified = async (trial: Trial, pair: Pair, repeats: boolean, early = 0): Promise<void> => {
  const { own, other, exchange } = await notifiedDuring(trial, pair, hour)
  expectThat(early + own > 0, {
    expected: 'notifications afterwards',
    actual: 'none',
    exchange,
    strength: repeats && other > 0 ? 'stated' : 'decided',
  })
}

/** Acknowledges an alert once or several times. Only the time in the last request counts. */
const silentUntilLast = (...periods: readonly number[]): Rule =>
  onTwoAlerts(async (trial, pair) => {
    const repeats = await repeatsNotifications(trial, pair)
    for (const seconds of periods) await acknowledgedFor(trial, pair.alertId, seconds)
    await expectSilent(trial, pair.alertId, pair.condition, (periods.at(-1) ?? 0) - hour / 2)
    // A notification may be sent exactly when the acknowledgement ends.
    const { own } = await notifiedDuring(trial, pair, hour / 2)
    await expectNotified(trial, pair, repeats, own)
  })

const silentUntilUnacknowledged = onTwoAlerts(async (trial, pair) => {
  const repeats = await repeatsNotifications(trial, pair)
  await acknowledgedFor(trial, pair.alertId, 3 * hour)
  await expectSilent(trial, pair.alertId, pair.condition, hour)
  await unacknowledge(trial, pair.alertId)
  await expectNotified(trial, pair, repeats && saysHowToUnacknowledge(trial.cell))
})

/** Acknowledges an alert before the delays of some or all of its notification targets have passed. */
const silentBeforeDelay = (...delays: readonly number[]): Rule =>
  onAlert(
    async (trial, alertId, condition) => {
      const { status } = await readAlert(trial, alertId)
      const body = { acknowledgedUntil: await inSeconds(trial, hour) }
      const exchange = await trial.try({ parameters: { alertId }, body })
      if (status !== 'OPEN' && isRefusal(exchange.response))
        throw new Untestable(
          `a server where a ${status} alert can be acknowledged (${describeResponse(exchange)})`,
        )
      expectSuccess(exchange)
      await expectSilent(trial, alertId, condition, hour / 2)
    },
    { delays },
  )

export default rules({
  'acknowledgeAlert.stops-notifications': [
    silentUntilLast(hour),
    labeled('again with a later time', silentUntilLast(hour, 3 * hour)),
    labeled('again with an earlier time', silentUntilLast(3 * hour, hour)),
    ...[[century], [hour, century]].map((periods) =>
      labeled(
        periods.length > 1 ? 'again indefinitely' : 'indefinitely',
        onAlert(async (trial, alertId, condition) => {
          for (const seconds of periods) await acknowledgedFor(trial, alertId, seconds)
          await expectSilent(trial, alertId, condition, 3 * hour)
        }),
      ),
    ),
    labeled('until the alert is unacknowledged', silentUntilUnacknowledged),
    labeled('second target with a delay', silentBeforeDelay(0, 10)),
    labeled('first target with a delay', silentBeforeDelay(10, 0)),
    labeled('all targets with a delay', silentBeforeDelay(10, 20)),
  ],
})
