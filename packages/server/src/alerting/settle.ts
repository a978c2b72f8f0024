import { setImmediate as othersTurn } from 'node:timers/promises'
import { advance, type Notice } from '../domain/alert.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import { type Alert, alerts } from '../persistence/alerts.ts'
import type { Transaction } from '../persistence/database.ts'
import { deliveries } from '../persistence/deliveries.ts'
import { outbox } from '../persistence/outbox.ts'
import { settleLimit } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { trimOutbox } from './trim-outbox.ts'
import { webhookBody, webhookKind } from './webhooks/message.ts'

/**
 * How many alerts one transaction settles, and how many notices it hands out: others wait for it on SQLite. One alert may
 * have thousands of targets, and each of those a hundred notices after a jump of the clock.
 */
const batch = { alerts: 100, notices: 500 }

/**
 * Lets the alerts of a project be what time has made of them by now, before anybody looks or changes them. What time
 * does is derived from what is kept, so nothing runs in between; each notice goes out once, whoever looks first. A world
 * that is put back meanwhile is settled up to where its clock is then, and no further.
 */
export async function settleAlerts(world: World, groupId: string, now: number): Promise<void> {
  const { clock, database } = world
  let most = batch.alerts
  const before = world.noticeIds.created()
  while (await alerts.anyDue(database, groupId, now)) {
    const settled = await database.transaction(async (transaction) => {
      const until = await settleLimit(clock, now, transaction)
      const due = await alerts.due(transaction, groupId, until, most)
      let left = batch.notices
      for (const alert of due) {
        if (left > 0) left -= (await settleUpTo(transaction, world, alert, until, left)).told
      }
      // Where one has so many notices, the others would be read in vain.
      most = left > 0 ? batch.alerts : 1
      return due.length
    })
    // Another process was quicker, or the world was put back.
    if (settled === 0) break
    await othersTurn()
  }
  await trimOutbox(world, before)
}

/** The same for every project, before somebody looks at all notifications. A clock that runs fast must not outrun it. */
export async function settleEverything(world: World, now: number): Promise<void> {
  let before: string | undefined
  for (;;) {
    const groupId = await alerts.groupDue(world.database, now)
    // Asked for the same one twice: another process is at it, or the world was put back.
    if (groupId === undefined || groupId === before) return
    await settleAlerts(world, groupId, now)
    await othersTurn()
    before = groupId
  }
}

/** The alert as of now, kept as such. */
export async function settle(
  transaction: Transaction,
  world: World,
  alert: Alert,
  now: number,
): Promise<Alert> {
  return (await settleUpTo(transaction, world, alert, now)).settled
}

/** The same with a limit to the notices that are handed out; if that is reached, the alert is due still. */
async function settleUpTo(
  transaction: Transaction,
  world: World,
  alert: Alert,
  now: number,
  limit?: number,
): Promise<{ readonly settled: Alert; readonly told: number }> {
  const { notices, openedAt, ...state } = advance(alert, now, limit, await world.clock.jumpedTo(transaction))
  const last = notices.at(-1)?.at
  const shown = {
    ...alert.document.value(),
    ...(openedAt === undefined ? {} : { status: 'OPEN' as const, updated: timestamp(openedAt) }),
    ...(last === undefined ? {} : { lastNotified: timestamp(last) }),
  }
  const told = alert.told + notices.length
  const settled: Alert = { ...alert, ...state, told, document: Stored.of(shown) }
  await alerts.put(transaction, settled)
  const said = noticeOf(settled)
  for (const [index, notice] of notices.entries()) {
    const id = world.noticeIds.next(alert.id, alert.told + index, notice.at)
    await handOut(transaction, settled, id, notice, said)
  }
  return { settled, told: notices.length }
}

/** Keeps what a target is told, and has it sent if that is what its kind takes: both, or the alert stays as it was. */
async function handOut(
  transaction: Transaction,
  alert: Alert,
  id: string,
  notice: Notice,
  said: Record<string, unknown>,
): Promise<void> {
  const { at, ...target } = notice
  const { groupId } = alert
  await outbox.insert(transaction, {
    id,
    groupId,
    alertId: alert.id,
    createdAt: at,
    document: { ...target, ...said, sent: timestamp(at) },
  })
  if (notice.typeName !== webhookKind) return
  const { notifierId } = notice
  const delivery = { id, groupId, configId: alert.configId, notifierId, body: webhookBody(alert, notice) }
  await deliveries.insert(transaction, delivery, at)
}

/** What a target is told about an alert. */
function noticeOf(alert: Alert): Record<string, unknown> {
  const { eventTypeName, alertConfigId, groupId, status } = alert.document.value()
  return { alertId: alert.id, alertConfigId, groupId, eventTypeName, status, severity: alert.severity }
}
