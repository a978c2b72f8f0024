import { settle, settleAlerts } from '../../alerting/settle.ts'
import { Stored } from '../../domain/stored.ts'
import { latestTime, parseTimestamp, timestamp } from '../../domain/timestamp.ts'
import { type Alert, type AlertDocument, alerts } from '../../persistence/alerts.ts'
import { type OperationInput, operation } from '../operation.ts'
import { resource } from '../response.ts'
import { alertNotFound } from './alert-not-found.ts'

type Input = OperationInput<'acknowledgeAlert'>

/**
 * A hundred years in milliseconds. To acknowledge an alert indefinitely, clients use a time this far in the future. The
 * number ignores leap days, because it doesn't have to be exact.
 */
const forEver = 100 * 365 * 86_400_000

export default operation('acknowledgeAlert', async (input) => {
  const { world, path, body, now } = input
  const { acknowledgedUntil: moment } = body
  const until = moment === undefined ? undefined : parseTimestamp(moment, '/acknowledgedUntil')
  await settleAlerts(world, path.groupId, now)
  return world.database.transaction(async (transaction) => {
    const found = await alerts.find(transaction, path.groupId, path.alertId)
    if (!found) throw alertNotFound(path.alertId)
    const before = await settle(transaction, world, found, now)
    const after = changed(before, until, input)
    // After an acknowledgment is removed, notifications can be due immediately.
    const seen = after === before ? before : await settle(transaction, world, after, now)
    return resource(seen.document, 'getAlert', path)
  })
})

/**
 * Changes the acknowledgment. If the body contains both the flag and the time, the flag takes precedence. A time in the
 * past removes the acknowledgment. If the body contains neither the flag nor the time, only the comment changes.
 */
function changed(alert: Alert, until: number | undefined, { body, now, principal }: Input): Alert {
  const { acknowledgementComment: comment, unacknowledgeAlert } = body
  const said = comment === undefined ? {} : { acknowledgementComment: comment }
  if (unacknowledgeAlert === true) return takenBack(alert, now)
  if (until === undefined) return commented(alert, said, now)
  if (until <= now) return takenBack(alert, now)
  // The specification source defines the field as an email address.
  // API keys have no email address, so use the key's ID with a domain that can't exist.
  const acknowledgingUsername = `${principal.id}@svc.example`
  const { acknowledgementComment: _, ...uncommented } = alert.document.value()
  const document = {
    ...(isOwn(alert, acknowledgingUsername, now) ? alert.document.value() : uncommented),
    acknowledgedUntil: timestamp(until),
    acknowledgingUsername,
    ...said,
    updated: timestamp(now),
  }
  return changedTo({ ...alert, acknowledgedUntil: until - now < forEver ? until : latestTime }, document)
}

/** Returns whether a caller is extending their own acknowledgment, in which case the comment is kept. */
function isOwn({ acknowledgedUntil = 0, document }: Alert, username: string, now: number): boolean {
  return acknowledgedUntil > now && document.value().acknowledgingUsername === username
}

/** Adds the comment to the alert's acknowledgment. If the alert isn't acknowledged, the comment is ignored. */
function commented(alert: Alert, said: Pick<AlertDocument, 'acknowledgementComment'>, now: number): Alert {
  const document = alert.document.value()
  if (said.acknowledgementComment === undefined || document.acknowledgedUntil === undefined) return alert
  return changedTo(alert, { ...document, ...said, updated: timestamp(now) })
}

/** Removes the acknowledgment. Notifications that were suppressed during the acknowledgment aren't sent later. */
function takenBack(alert: Alert, now: number): Alert {
  const {
    acknowledgedUntil: _until,
    acknowledgementComment: _comment,
    acknowledgingUsername: _username,
    ...rest
  } = alert.document.value()
  const silentUntil = Math.max(now, alert.silentUntil ?? 0)
  const state = { ...alert, acknowledgedUntil: undefined, silentUntil }
  return changedTo(state, { ...rest, updated: timestamp(now) })
}

const changedTo = (alert: Alert, document: AlertDocument): Alert => ({
  ...alert,
  document: Stored.of(document),
})
