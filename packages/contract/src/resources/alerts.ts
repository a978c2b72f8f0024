import type { Trial } from '../check/trial.ts'
import { type Json, listAt, objectAt, stringAt } from '../document/json.ts'
import { fullClusters } from '../given/clusters.ts'
import { alertConfigBody } from '../given/given.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import { bodyOf, expectSuccess } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import { addressOfRun } from '../run-context/marks.ts'

export interface AlertResponse {
  readonly exchange: Exchange
  readonly alert: Json
  readonly status: string
}

const alertResponseFrom = (exchange: Exchange): AlertResponse => {
  expectSuccess(exchange)
  const alert = bodyOf(exchange)
  return { exchange, alert, status: stringAt(alert, 'status') ?? '' }
}

export const readAlert = async (trial: Trial, alertId: string): Promise<AlertResponse> =>
  alertResponseFrom(await trial.send(await trial.callOf('getAlert', { parameters: { alertId } })))

/** Acknowledges an alert in the version under test. */
export const acknowledge = async (
  trial: Trial,
  alertId: string,
  body: Json,
  as?: Authorization,
): Promise<AlertResponse> => {
  const changes = { parameters: { alertId }, body }
  const call = await trial.callOf('acknowledgeAlert', as === undefined ? changes : { ...changes, as })
  return alertResponseFrom(await trial.send(call))
}

/** A condition that has caused an event. The condition lasts until a check calls `end`. */
export interface Condition {
  readonly alertConfigId: string
  /** The IDs of the alerts that the event raised for the configuration. */
  readonly alertIds: readonly string[]
  /** Returns the IDs of the alerts that the event raised for another configuration. */
  alertsOf(alertConfigId: string): Promise<readonly string[]>
  /** Returns the notifications that the target has sent about the alert. */
  notificationsOf(alertId: string): Promise<Json[]>
  /** Raises the event again. */
  start(): Promise<unknown>
  end(): Promise<void>
}

/** Checks use a separate event type, so that they don't raise alerts for other checks. */
export const watchedEvent = 'OUTSIDE_METRIC_THRESHOLD'

export interface ConditionOptions {
  readonly enabled?: boolean
  /** The delay of each notification target in minutes. By default, there is one target, and it has no delay. */
  readonly delays?: readonly number[]
  readonly matchers?: readonly Json[]
  readonly severityOverride?: string
  /** The event type that the configuration watches for. The raised event has `watchedEvent`. */
  readonly eventTypeName?: string
  /** Changes the configuration before the event is raised. */
  readonly beforeEvent?: (trial: Trial, alertConfigId: string) => Promise<void>
}

/** Returns a configuration that watches for `watchedEvent`. */
export const configFor = (
  { context }: Trial,
  { enabled = true, delays = [0], beforeEvent: _, ...others }: ConditionOptions = {},
): Json => {
  const address = addressOfRun(context.runTag)
  const notifications = delays.map((delayMin, index) => {
    // One target has exactly the run's address, because the address marks the configuration.
    const emailAddress = index === 0 ? address : `target${index}.${address}`
    return { typeName: 'EMAIL', emailAddress, delayMin, intervalMin: 5 }
  })
  const config = objectAt({ body: alertConfigBody(context, enabled) }, 'body')
  return { ...config, eventTypeName: watchedEvent, notifications, ...others }
}

/** Creates the configuration that raises the alert. Separate checks test how configurations are stored. */
export const storeConfig = async (trial: Trial, options: ConditionOptions = {}): Promise<string> => {
  if (trial.context.target.readOnly)
    throw new Untestable('permission to create resources (the run is read-only)')
  const call = await trial.callOf('createAlertConfig', { body: configFor(trial, options) })
  const exchange = await trial.send(call)
  const id = exchange.response.status < 300 ? stringAt(bodyOf(exchange), 'id') : undefined
  if (id === undefined) throw new Untestable(`an alert configuration that watches for ${watchedEvent}`)
  return id
}

/** Returns the alerts that the configuration raised. */
const raisedBy = async (
  trial: Trial,
  alertConfigId: string,
  touched: readonly string[],
): Promise<string[]> => {
  const own: string[] = []
  for (const alertId of touched) {
    const { alert } = await readAlert(trial, alertId)
    if (stringAt(alert, 'alertConfigId') === alertConfigId) own.push(alertId)
  }
  return own
}

/** Timestamps may differ by this many milliseconds, because the kit may know only the target's approximate time. */
const clockTolerance = 60_000

/**
 * Creates a configuration, raises an event of its type, and passes the condition to the check. Ends the
 * condition after the check.
 */
export const withCondition = async (
  trial: Trial,
  use: (condition: Condition) => Promise<void>,
  options: ConditionOptions = {},
): Promise<void> => {
  const { prerequisites, target } = trial.context
  const [cluster] = fullClusters(trial.context)
  const { groupId } = target.things
  if (!prerequisites.canRaiseEvents || groupId === undefined)
    throw new Untestable('a condition that an alert configuration watches for')
  const alertConfigId = await storeConfig(trial, options)
  // Not every event concerns a cluster.
  const where = cluster === undefined ? {} : { clusterName: cluster.name }
  const event = { groupId, eventTypeName: watchedEvent, ...where }
  const start = (): Promise<string[]> => prerequisites.event({ ...event, active: true })
  const end = async (): Promise<void> => {
    await prerequisites.event({ ...event, active: false })
  }
  const since = (await prerequisites.now()) - clockTolerance
  const notificationsOf = async (alertId: string): Promise<Json[]> => {
    const sent = await prerequisites.outbox(groupId, since)
    return sent.filter((notice) => JSON.stringify(notice).includes(alertId))
  }
  try {
    await options.beforeEvent?.(trial, alertConfigId)
    const touched = await start()
    const alertsOf = (id: string): Promise<string[]> => raisedBy(trial, id, touched)
    const alertIds = await alertsOf(alertConfigId)
    await use({ alertConfigId, alertIds, alertsOf, notificationsOf, start, end })
  } finally {
    await end()
    await removeConfig(trial, alertConfigId)
  }
}

/** Removes the configuration, unless the check removed it. If this fails, the end of the run removes it. */
export const removeConfig = async (trial: Trial, alertConfigId: string): Promise<void> => {
  try {
    await trial.context.perform('deleteAlertConfig', {
      groupId: trial.context.target.things.groupId ?? '',
      alertConfigId,
    })
  } catch (error) {
    if (!(error instanceof Untestable)) throw error
  }
}

/** Raises an event that two configurations watch for. Passes the condition and the second configuration to the check. */
export const withTwoConfigs = async (
  trial: Trial,
  use: (condition: Condition, otherConfigId: string) => Promise<void>,
): Promise<void> => {
  let other: string | undefined
  const beforeEvent = async (): Promise<void> => {
    other = await storeConfig(trial)
  }
  try {
    await withCondition(trial, (condition) => use(condition, other ?? ''), { beforeEvent })
  } finally {
    if (other !== undefined) await removeConfig(trial, other)
  }
}

/** Raises an alert and passes it to the check. */
export const withAlert = (
  trial: Trial,
  use: (alertId: string, condition: Condition) => Promise<void>,
  options: ConditionOptions = {},
): Promise<void> =>
  withCondition(
    trial,
    async (condition) => {
      const [alertId] = condition.alertIds
      if (alertId === undefined) throw new Untestable('an alert that an event raised')
      await use(alertId, condition)
    },
    options,
  )

/** Adds a number of seconds to the target's current time, and returns the result in the API's format. */
export const inSeconds = async (trial: Trial, seconds: number): Promise<string> => {
  const now = await trial.context.prerequisites.now()
  return new Date(now + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}

export const idsIn = (exchange: Exchange): (string | undefined)[] =>
  listAt(bodyOf(exchange), 'results').map((alert) => stringAt(alert, 'id'))
