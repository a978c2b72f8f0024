import { createHash } from 'node:crypto'
import { closed, closedFrom, initialStatus } from '../domain/alert.ts'
import type { EventFields } from '../domain/matchers.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import { objectsIn } from '../domain/typed-fields.ts'
import { alertConfigs, type ListedAlertConfig } from '../persistence/alert-configs.ts'
import { type Alert, type AlertDocument, alerts } from '../persistence/alerts.ts'
import type { Session, Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'
import { createMatcherEvaluator } from './matcher-evaluator.ts'
import { settle, settleAlerts } from './settle.ts'
import { targetsOf } from './targets.ts'

/** Reports the start or end of a condition that can raise alerts. */
export interface AlertEvent {
  readonly orgId: string
  readonly groupId: string
  readonly eventTypeName: string
  readonly clusterName?: string
  /** The event's values, by matcher field name. */
  readonly fields: EventFields
}

/**
 * Raises alerts for a condition, and returns the IDs of its new and existing alerts. Evaluates matchers before the
 * transaction starts, because expressions can be slow and an open transaction blocks other writers.
 */
export async function raiseAlerts(world: World, event: AlertEvent, now: number): Promise<string[]> {
  const fields = { ...(event.clusterName ? { CLUSTER_NAME: event.clusterName } : {}), ...event.fields }
  const evaluator = createMatcherEvaluator(fields)
  const raising = (session: Session) => alertConfigs.raising(session, event.groupId, event.eventTypeName)
  let ids: string[] | undefined
  while (ids === undefined) {
    for (const config of await raising(world.database)) await evaluator.evaluate(matchersOf(config))
    ids = await world.database.transaction(async (transaction) => {
      const configs = await raising(transaction)
      const results = configs.map((config) => evaluator.resultOf(matchersOf(config)))
      // A configuration has changed since its matchers were evaluated, so evaluate the matchers again.
      if (results.includes(undefined)) return undefined
      return watchFrom(
        transaction,
        world,
        configs.filter((_, index) => results[index]),
        event,
        now,
      )
    })
  }
  await settleAlerts(world, event.groupId, now)
  return ids
}

const matchersOf = ({ document }: ListedAlertConfig) => objectsIn(document.value().matchers)

/** Raises the missing alerts of the matching configurations, and returns the IDs of all their alerts for this event. */
async function watchFrom(
  transaction: Transaction,
  world: World,
  configs: readonly ListedAlertConfig[],
  event: AlertEvent,
  now: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const config of configs) {
    const running = await alerts.active(transaction, config.id, conditionOf(event), closed)
    const alert = running ?? newAlert(world, config, event, now)
    if (!running) await alerts.put(transaction, alert)
    ids.push(alert.id)
  }
  return ids
}

/** Closes all alerts for a condition, even if their configuration has changed. Returns the alerts' IDs. */
export async function endAlerts(world: World, event: AlertEvent, now: number): Promise<string[]> {
  await settleAlerts(world, event.groupId, now)
  return world.database.transaction(async (transaction) => {
    const running = await alerts.ofCondition(transaction, event.groupId, conditionOf(event), closed)
    const ids: string[] = []
    for (const alert of running) {
      const seen = await settle(transaction, world, alert, now)
      if (closedFrom(seen.status) !== closed) continue
      const at = timestamp(now)
      const document = { ...seen.document.value(), status: closed, resolved: at, updated: at } as const
      await alerts.put(transaction, {
        ...seen,
        status: closed,
        dueAt: undefined,
        document: Stored.of(document),
      })
      ids.push(seen.id)
    }
    return ids
  })
}

/**
 * The maximum length of a stored key. Longer keys don't fit into an index entry, so the server stores a digest of the
 * key instead.
 */
const longestCondition = 512

/**
 * Returns the key that identifies a condition. Two events belong to the same condition if they have the same type,
 * cluster and fields.
 */
function conditionOf({ eventTypeName, clusterName = '', fields }: AlertEvent): string {
  const about = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const condition = JSON.stringify([eventTypeName, clusterName, about])
  if (condition.length <= longestCondition) return condition
  return createHash('sha256').update(condition).digest('hex')
}

function newAlert(world: World, config: ListedAlertConfig, event: AlertEvent, now: number): Alert {
  const { eventTypeName, groupId, orgId, clusterName } = event
  const { notifications, severityOverride } = config.document.value()
  const id = world.ids.next(now)
  const at = timestamp(now)
  const document: AlertDocument & { clusterName?: string } = {
    id,
    groupId,
    orgId,
    alertConfigId: config.id,
    eventTypeName,
    status: initialStatus,
    ...(clusterName ? { clusterName } : {}),
    created: at,
    updated: at,
  }
  return {
    id,
    groupId,
    configId: config.id,
    condition: conditionOf(event),
    status: initialStatus,
    since: now,
    createdAt: now,
    dueAt: now,
    acknowledgedUntil: undefined,
    silentUntil: undefined,
    severity: severityOverride,
    told: 0,
    targets: targetsOf(notifications),
    document: Stored.of<AlertDocument>(document),
  }
}
