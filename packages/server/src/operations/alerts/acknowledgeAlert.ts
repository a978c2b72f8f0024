import { nextDue, settle } from '../../alerting/settle.ts'
import { Stored } from '../../domain/stored.ts'
import { lastMoment, parseTimestamp, timestamp } from '../../domain/timestamp.ts'
import { type Alert, type AlertDocument, alerts } from '../../persistence/alerts.ts'
import { resource } from '../answer.ts'
import { type OperationInput, operation } from '../operation.ts'
import { alertNotFound } from './alert-not-found.ts'

type Input = OperationInput<'acknowledgeAlert'>

/** A moment so far ahead stands for ever: a hundred years, of which nobody needs to count the leap days. */
const forEver = 100 * 365 * 86_400_000

export default operation('acknowledgeAlert', async (input) => {
  const { world, path, now } = input
  return world.database.transaction(async (transaction) => {
    const found = await alerts.find(transaction, path.groupId, path.alertId)
    if (!found) throw alertNotFound(path.alertId)
    const before = await settle(transaction, world, found, now)
    const after = changed(before, input)
    if (after !== before) await alerts.put(transaction, after)
    return resource(after.document, 'getAlert', path)
  })
})

/** The flag wins over the moment; a moment in the past takes the acknowledgement back; neither changes nothing. */
function changed(alert: Alert, { body, now, principal }: Input): Alert {
  const { acknowledgedUntil, acknowledgementComment, unacknowledgeAlert } = body
  const until =
    acknowledgedUntil === undefined ? undefined : parseTimestamp(acknowledgedUntil, '/acknowledgedUntil')
  if (unacknowledgeAlert === true) return acknowledged(alert, now, {}, now)
  if (until === undefined) return alert
  if (until <= now) return acknowledged(alert, now, {}, now)
  const shown = {
    acknowledgedUntil: timestamp(until),
    // The source has an e-mail address here; a key has none, so its name stands before one that cannot exist.
    acknowledgingUsername: `${principal.id}@svc.example`,
    ...(acknowledgementComment === undefined ? {} : { acknowledgementComment }),
  }
  return acknowledged(alert, until - now < forEver ? until : lastMoment, shown, now)
}

/** Taken back, it was quiet until now: what was not sent meanwhile is not sent after all. */
function acknowledged(alert: Alert, until: number, shown: Partial<AlertDocument>, now: number): Alert {
  const {
    acknowledgedUntil: _until,
    acknowledgementComment: _comment,
    acknowledgingUsername: _username,
    ...rest
  } = alert.document.value()
  const document = Stored.of<AlertDocument>({ ...rest, ...shown, updated: timestamp(now) })
  const state = { ...alert, acknowledgedUntil: until }
  return { ...state, dueAt: nextDue(state, now), document }
}
