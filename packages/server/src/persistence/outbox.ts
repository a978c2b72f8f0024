import { type ExpressionBuilder, sql } from 'kysely'
import type { Session, Transaction } from './database.ts'
import type { Tables } from './schema.ts'
import { type Builder, type Slots, statement } from './statement.ts'

export interface OutboxEntry {
  readonly id: string
  readonly groupId: string
  readonly alertId: string
  readonly createdAt: number
  /** The content of the notification. */
  readonly document: unknown
}

/** Selects the notifications to list. */
export interface OutboxSelection {
  readonly since?: number | undefined
  readonly groupId?: string | undefined
  readonly limit: number
}

interface Values extends Record<string, string | number> {
  id: string
  groupId: string
  alertId: string
  createdAt: number
  document: string
}

const insert = statement((db, $: Slots<Values>) =>
  db.insertInto('outbox').values({
    id: $('id'),
    group_id: $('groupId'),
    alert_id: $('alertId'),
    created_at: $('createdAt'),
    document: $('document'),
  }),
)

/** The filter and limit of a list. If `groupId` is empty, the list contains notifications from all projects. */
interface ListValues extends Record<string, string | number> {
  groupId: string
  limit: number
}

const listed = (db: Builder, $: Slots<ListValues>) =>
  db
    .selectFrom('outbox')
    .select(['id', 'group_id as groupId', 'alert_id as alertId', 'created_at as createdAt', 'document'])
    .where(sql<boolean>`(${$('groupId')} = '' or group_id = ${$('groupId')})`)
const latest = statement((db, $: Slots<ListValues>) =>
  listed(db, $).orderBy('created_at', 'desc').orderBy('id', 'desc').limit($('limit')),
)
const sentSince = statement((db, $: Slots<ListValues & { since: number }>) =>
  listed(db, $).where('created_at', '>=', $('since')).orderBy('created_at').orderBy('id').limit($('limit')),
)

const beyond = statement((db, $: Slots<{ count: number }>) =>
  db
    .selectFrom('outbox')
    .select(['created_at as createdAt', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset($('count'))
    .limit(1),
)

interface Key extends Record<string, string | number> {
  createdAt: number
  id: string
}

const upTo = ($: Slots<Key>) =>
  sql<boolean>`(outbox.created_at, outbox.id) <= (${$('createdAt')}, ${$('id')})`

/** Matches notifications that can be deleted. A notification can't be deleted while its delivery is pending. */
const isOver = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'outbox'>) =>
  not(
    exists(
      selectFrom('webhook_deliveries')
        .select('webhook_deliveries.id')
        .whereRef('webhook_deliveries.id', '=', 'outbox.id')
        .where('webhook_deliveries.due_at', 'is not', null),
    ),
  )
const oldest = statement((db, $: Slots<Key & { limit: number }>) =>
  db
    .selectFrom('outbox')
    .select(['created_at as createdAt', 'id'])
    .where(upTo($))
    .where(isOver)
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit')),
)
const removeDeliveries = statement((db, $: Slots<Key>) =>
  db
    .deleteFrom('webhook_deliveries')
    .where('due_at', 'is', null)
    .where('id', 'in', (query) => query.selectFrom('outbox').select('id').where(upTo($))),
)
const remove = statement((db, $: Slots<Key>) => db.deleteFrom('outbox').where(upTo($)).where(isOver))

/** Reads and writes the outbox, which contains notifications in the order they were sent. */
export const outbox = {
  async insert(session: Session, entry: OutboxEntry): Promise<void> {
    await session.all(insert, { ...entry, document: JSON.stringify(entry.document) })
  },

  /**
   * Deletes all notifications except the latest `count`, together with their deliveries. Deletes at most `limit`
   * notifications per call, and returns the number of deleted notifications.
   */
  async removeBeyond(transaction: Transaction, count: number, limit: number): Promise<number> {
    const newest = await transaction.one(beyond, { count })
    if (!newest) return 0
    const entries = await transaction.all(oldest, { ...newest, limit })
    const last = entries.at(-1)
    if (!last) return 0
    for (const removing of [removeDeliveries, remove]) await transaction.all(removing, { ...last })
    return entries.length
  },

  /**
   * Lists notifications, oldest first. If `since` is set, returns the oldest notifications created since that time,
   * even if there are newer notifications. If `since` isn't set, returns the latest notifications.
   */
  async list(session: Session, { since, groupId = '', limit }: OutboxSelection): Promise<OutboxEntry[]> {
    const rows =
      since === undefined
        ? [...(await session.all(latest, { groupId, limit }))].reverse()
        : await session.all(sentSince, { groupId, limit, since })
    return rows.map((row) => ({ ...row, document: JSON.parse(row.document) }))
  },
}
