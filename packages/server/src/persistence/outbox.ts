import { type ExpressionBuilder, sql } from 'kysely'
import type { Session, Transaction } from './database.ts'
import type { Tables } from './schema.ts'
import { type Slots, statement } from './statement.ts'

/** A notification that was sent. */
export interface OutboxEntry {
  readonly id: string
  readonly groupId: string
  readonly alertId: string
  readonly createdAt: number
  /** The content of the notification. */
  readonly document: unknown
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
const latest = statement((db, $: Slots<{ limit: number }>) =>
  db
    .selectFrom('outbox')
    .select(['id', 'group_id as groupId', 'alert_id as alertId', 'created_at as createdAt', 'document'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit($('limit')),
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

/** Pending deliveries are retained until they are delivered or dropped. */
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

/** Notifications, in the order in which they were sent. */
export const outbox = {
  async insert(session: Session, entry: OutboxEntry): Promise<void> {
    await session.all(insert, { ...entry, document: JSON.stringify(entry.document) })
  },

  /**
   * Removes entries beyond the latest `count` and their deliveries, up to `limit`. Returns the number of
   * removed entries.
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

  /** The latest entries, oldest first. */
  async latest(session: Session, limit: number): Promise<OutboxEntry[]> {
    const rows = await session.all(latest, { limit })
    return rows.map((row) => ({ ...row, document: JSON.parse(row.document) })).reverse()
  },
}
