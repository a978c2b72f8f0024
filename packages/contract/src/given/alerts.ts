import { type Json, listAt, objectAt, stringAt } from '../document/json.ts'
import { bodyOf, expectSuccess } from '../engine/expect.ts'
import { Untestable } from '../engine/signals.ts'
import type { Trial } from '../engine/trial.ts'
import type { Exchange } from '../http/exchange.ts'
import { store } from './alert-configs.ts'
import { alertConfigBody, fullClusters } from './given.ts'

/** An answer with the alert in it. */
export interface Seen {
  readonly exchange: Exchange
  readonly alert: Json
  readonly status: string
}

const seenFrom = (exchange: Exchange): Seen => {
  expectSuccess(exchange)
  const alert = bodyOf(exchange)
  return { exchange, alert, status: stringAt(alert, 'status') ?? '' }
}

export const readAlert = async (trial: Trial, alertId: string): Promise<Seen> =>
  seenFrom(await trial.send(await trial.callOf('getAlert', { parameters: { alertId } })))

/** Acknowledges, or what else the body says, in the version of the cell. */
export const acknowledge = async (trial: Trial, alertId: string, body: Json): Promise<Seen> =>
  seenFrom(await trial.send(await trial.callOf('acknowledgeAlert', { parameters: { alertId }, body })))

/** What an event is raised for; a condition holds until it is ended. */
export interface Condition {
  readonly alertConfigId: string
  /** Alerts that the event raised for the configuration; there may be none. */
  readonly alertIds: readonly string[]
  end(): Promise<void>
}

/** Every condition of a run has an event type of its own, so that none ends or raises the alerts of another. */
let conditions = 0

export interface ConditionOptions {
  readonly enabled?: boolean
  readonly delayMin?: number
  readonly matchers?: readonly Json[]
  readonly severityOverride?: string
}

/** Stores a configuration, and raises an event of its type. */
export const raise = async (trial: Trial, options: ConditionOptions = {}): Promise<Condition> => {
  const { enabled = true, delayMin = 0, ...others } = options
  const { prerequisites, runTag, target } = trial.world
  const [cluster] = fullClusters(trial.world)
  const { groupId } = target.things
  if (!prerequisites.canRaiseEvents || cluster === undefined || groupId === undefined)
    throw new Untestable('a condition that an alert configuration watches for')
  conditions += 1
  const eventTypeName = `CONTRACT_${runTag.replaceAll(/\W/g, '_').toUpperCase()}_${conditions}`
  const notifications = [
    { typeName: 'EMAIL', emailAddress: `${runTag}@contract.example`, delayMin, intervalMin: 5 },
  ]
  const config = objectAt({ body: alertConfigBody(trial.world, enabled) }, 'body')
  const { id } = await store(trial, { body: { ...config, ...others, eventTypeName, notifications } })
  const event = { groupId, eventTypeName, clusterName: cluster.name }
  const alertIds = await prerequisites.event({ ...event, active: true })
  return {
    alertConfigId: id,
    alertIds,
    end: async () => {
      await prerequisites.event({ ...event, active: false })
    },
  }
}

/** Does something with an alert of its own, and ends the condition afterwards. */
export const withAlert = async (
  trial: Trial,
  use: (alertId: string, condition: Condition) => Promise<void>,
  options: ConditionOptions = {},
): Promise<void> => {
  const condition = await raise(trial, options)
  try {
    const [alertId] = condition.alertIds
    if (alertId === undefined) throw new Untestable('an alert that an event raised')
    await use(alertId, condition)
  } finally {
    await condition.end()
  }
}

/** A moment from the target's now, as the API writes it. */
export const inSeconds = async (trial: Trial, seconds: number): Promise<string> => {
  const now = await trial.world.prerequisites.now()
  return new Date(now + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Notifications of one alert that went out so far. */
export const noticesOf = async (trial: Trial, alertId: string): Promise<Json[]> => {
  const outbox = await trial.world.prerequisites.outbox()
  return outbox.filter((notice) => JSON.stringify(notice).includes(alertId))
}

/** Identifiers in a list of alerts. */
export const idsIn = (exchange: Exchange): (string | undefined)[] =>
  listAt(bodyOf(exchange), 'results').map((alert) => stringAt(alert, 'id'))
