import { advance, type Notice } from '../domain/alert.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import { type Alert, alerts } from '../persistence/alerts.ts'
import type { Session, Transaction } from '../persistence/database.ts'
import { deliveries } from '../persistence/deliveries.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'
import { webhookBody, webhookKind } from './webhooks/message.ts'

/** How many alerts one transaction settles: others wait for it on SQLite. */
const batch = 100

/**
 * Lets the alerts of a project be what time has made of them by now, before anybody looks. What time does is
 * derived from what is kept, so nothing runs in between; each notice goes out once, whoever looks first.
 */
export async function settleAlerts(world: World, groupId: string, now: number): Promise<void> {
  await settleProject(world, groupId, () => now)
}

/**
 * The same for every project, before somebody looks at all notifications. The time is that which each transaction
 * sees: a world that is put back meanwhile must not be settled by the clock that it had.
 */
export async function settleEverything(world: World): Promise<void> {
  const { clock, database } = world
  let before: string | undefined
  for (;;) {
    const groupId = await alerts.groupDue(database, await clock.now())
    // Asked for the same one twice: another process is at it.
    if (groupId === undefined || groupId === before) return
    await settleProject(world, groupId, (session) => clock.now(session))
    before = groupId
  }
}

async function settleProject(
  world: World,
  groupId: string,
  timeIn: (session: Session) => Eventually<number>,
): Promise<void> {
  const { database } = world
  while (await alerts.anyDue(database, groupId, await timeIn(database))) {
    const settled = await database.transaction(async (transaction) => {
      const now = await timeIn(transaction)
      const due = await alerts.due(transaction, groupId, now, batch)
      for (const alert of due) await settle(transaction, world, alert, now)
      return due.length
    })
    // Another process was quicker.
    if (settled === 0) return
  }
}

/** The alert as of now, kept as such. */
export async function settle(
  transaction: Transaction,
  world: World,
  alert: Alert,
  now: number,
): Promise<Alert> {
  const { notices, openedAt, ...state } = advance(alert, now)
  const last = notices.at(-1)?.at
  const shown = {
    ...alert.document.value(),
    ...(openedAt === undefined ? {} : { status: 'OPEN' as const, updated: timestamp(openedAt) }),
    ...(last === undefined ? {} : { lastNotified: timestamp(last) }),
  }
  const settled: Alert = { ...alert, ...state, document: Stored.of(shown) }
  await alerts.put(transaction, settled)
  for (const notice of notices) await handOut(transaction, world, settled, notice)
  return settled
}

/** Keeps what a target is told, and has it sent if that is what its kind takes: both, or the alert stays as it was. */
async function handOut(transaction: Transaction, world: World, alert: Alert, notice: Notice): Promise<void> {
  const { at, ...target } = notice
  const id = world.noticeIds.next(at)
  const { groupId } = alert
  await outbox.insert(transaction, {
    id,
    groupId,
    alertId: alert.id,
    createdAt: at,
    document: { ...target, ...noticeOf(alert), sent: timestamp(at) },
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
