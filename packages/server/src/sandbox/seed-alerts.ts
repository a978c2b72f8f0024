import { separateSecrets } from '../alerting/alert-config.ts'
import { updateRunningAlerts } from '../alerting/running-alerts.ts'
import { targetsOf } from '../alerting/targets.ts'
import { type AlertTarget, indefinitely, nextDue } from '../domain/alert.ts'
import { Stored } from '../domain/stored.ts'
import { earliestTime, timestamp } from '../domain/timestamp.ts'
import { accessLogs } from '../persistence/access-logs.ts'
import { type AlertConfigDocument, alertConfigs } from '../persistence/alert-configs.ts'
import { type AlertDocument, alerts } from '../persistence/alerts.ts'
import type { Session } from '../persistence/database.ts'
import { removal } from '../persistence/removal.ts'
import type { Ids } from '../world/ids.ts'
import { ControlInputError, type Fields, fieldsOf, list, maybeText, text, time } from './fields.ts'
import type { Seeding } from './seeding.ts'

export async function seedAlertConfig({ world, transaction, now }: Seeding, fields: Fields): Promise<void> {
  const notifications = list(fields, 'notifications').map((item) => fieldsOf(item, 'A notification'))
  const { shown, secrets } = separateSecrets(notifications, { now, ids: world.ids })
  const id = text(fields, 'id')
  await removal.identified(transaction, 'alert_configs', id)
  const config = {
    id,
    groupId: text(fields, 'groupId'),
    createdAt: time(text(fields, 'created'), 'created'),
    eventTypeName: text(fields, 'eventTypeName'),
    enabled: fields.enabled === true,
    document: documentOf<AlertConfigDocument>({ ...fields, notifications: shown }),
    secrets,
  }
  await alertConfigs.put(transaction, config)
  await updateRunningAlerts(transaction, world, config, now)
}

export async function seedAlert({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const groupId = text(fields, 'groupId')
  const configId = text(fields, 'alertConfigId')
  const since = time(text(fields, 'created'), 'created')
  const until = maybeText(fields, 'acknowledgedUntil')
  const kept = await alertConfigs.find(transaction, groupId, configId)
  const config = kept?.document.value()
  const state = {
    status: text(fields, 'status'),
    since,
    acknowledgedUntil: until === undefined ? undefined : time(until, 'acknowledgedUntil'),
    silentUntil: kept?.enabled === false ? indefinitely : undefined,
    seededAt: now,
    targets: toldAt(targetsOf(config?.notifications ?? []), maybeText(fields, 'lastNotified')),
  }
  const id = text(fields, 'id')
  // Continue the notification count of the replaced alert, so that new notifications don't reuse its notification IDs.
  const told = await alerts.told(transaction, id)
  await removal.identified(transaction, 'alerts', id)
  await alerts.put(transaction, {
    ...state,
    id,
    groupId,
    configId,
    condition: JSON.stringify([text(fields, 'eventTypeName'), maybeText(fields, 'clusterName') ?? '', []]),
    createdAt: since,
    dueAt: nextDue(state, Math.min(since, now)),
    severity: config?.severityOverride,
    told,
    document: documentOf<AlertDocument>(fields),
  })
}

/** Sets the time of each target's last notification to the seeded alert's `lastNotified`. */
function toldAt(targets: readonly AlertTarget[], lastNotified: string | undefined): AlertTarget[] {
  if (lastNotified === undefined) return [...targets]
  const lastSentAt = time(lastNotified, 'lastNotified')
  return targets.map((target) => ({ ...target, lastSentAt }))
}

export async function seedAccessLog({ world, transaction, now }: Seeding, fields: Fields): Promise<void> {
  const { clusterName: _, ...entry } = fields
  const of = { groupId: text(fields, 'groupId'), clusterName: text(fields, 'clusterName') }
  await insertAccessLog(transaction, world.ids, now, of, entry)
}

/** Seeds an access history entry. If the entry has no timestamp, uses the current time. */
export async function insertAccessLog(
  session: Session,
  ids: Ids,
  now: number,
  of: { readonly groupId: string; readonly clusterName: string },
  entry: Fields,
): Promise<void> {
  const stated = maybeText(entry, 'timestamp')
  const at = stated === undefined ? now : time(stated, 'timestamp')
  // Queries can't start before the earliest time that the clock can show, so they would never return an older entry.
  if (at < earliestTime)
    throw new ControlInputError(`'timestamp' must not be before ${timestamp(earliestTime)}`)
  const { authResult = false } = entry
  if (typeof authResult !== 'boolean') throw new ControlInputError("'authResult' must be true or false")
  await accessLogs.insert(session, {
    ...of,
    id: ids.next(at),
    hostname: maybeText(entry, 'hostname') ?? '',
    ipAddress: maybeText(entry, 'ipAddress') ?? '',
    succeeded: authResult,
    at,
    document: Stored.of({ ...entry, authResult, groupId: of.groupId, timestamp: timestamp(at) }),
  })
}

/** Returns the document of a seeded resource without `self` and `links`. Responses add them. */
function documentOf<T>({ self: _self, links: _links, ...fields }: Fields): Stored<T> {
  return Stored.from<T>(JSON.stringify(fields))
}
