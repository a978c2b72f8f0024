import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
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
 * The maximum number of alerts and notifications per transaction. The limit is low, because an open transaction blocks
 * other writers on SQLite. After a clock jump, a single alert can have thousands of targets with a hundred
 * notifications each.
 */
const batch = { alerts: 100, notices: 500 }

/**
 * Updates a project's alerts before a request reads or changes them. The server calculates all time-based changes from
 * the stored state, so background jobs aren't needed and each notification is sent only once. If the clock is set back
 * during the update, the update stops at the new time.
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
      // If this batch reached its limit, read only one alert next time.
      most = left > 0 ? batch.alerts : 1
      return due.length
    })
    // Another process has already updated the alerts, or the clock was set back.
    if (settled === 0) break
    await yieldToEventLoop()
  }
  await trimOutbox(world, before)
}

/**
 * Updates the alerts in every project before the server reads the outbox. `now` stays fixed so that the loop ends even
 * if the clock runs fast.
 */
export async function settleEverything(world: World, now: number): Promise<void> {
  let before: string | undefined
  for (;;) {
    const groupId = await alerts.groupDue(world.database, now)
    // If the same project is due twice in a row, another process is updating it or the clock was set back.
    if (groupId === undefined || groupId === before) return
    await settleAlerts(world, groupId, now)
    await yieldToEventLoop()
    before = groupId
  }
}

/** Advances an alert to the current time and stores it. */
export async function settle(
  transaction: Transaction,
  world: World,
  alert: Alert,
  now: number,
): Promise<Alert> {
  return (await settleUpTo(transaction, world, alert, now)).settled
}

/**
 * Advances an alert, but sends at most `limit` notifications. If the limit is reached, the remaining notifications stay
 * due.
 */
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
  const content = noticeOf(settled)
  for (const [index, notice] of notices.entries()) {
    const id = world.noticeIds.next(alert.id, alert.told + index, notice.at)
    await addNotification(transaction, settled, id, notice, content)
  }
  return { settled, told: notices.length }
}

/** Adds a notification to the outbox. If the notification is a webhook, also schedules its delivery. */
async function addNotification(
  transaction: Transaction,
  alert: Alert,
  id: string,
  notice: Notice,
  content: Record<string, unknown>,
): Promise<void> {
  const { at, ...target } = notice
  const { groupId } = alert
  await outbox.insert(transaction, {
    id,
    groupId,
    alertId: alert.id,
    createdAt: at,
    document: { ...target, ...content, sent: timestamp(at) },
  })
  if (notice.typeName !== webhookKind) return
  const { notifierId } = notice
  const delivery = { id, groupId, configId: alert.configId, notifierId, body: webhookBody(alert, notice) }
  await deliveries.insert(transaction, delivery, at)
}

/** Returns the details about the alert that every notification includes. */
function noticeOf(alert: Alert): Record<string, unknown> {
  const { eventTypeName, alertConfigId, groupId, status } = alert.document.value()
  return { alertId: alert.id, alertConfigId, groupId, eventTypeName, status, severity: alert.severity }
}
