import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

/** A notification that was handed out. */
export interface OutboxEntry {
  readonly id: string
  readonly groupId: string
  readonly alertId: string
  readonly createdAt: number
  /** What the target is told. */
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

/** Notifications in the order in which they went out. */
export const outbox = {
  async insert(session: Session, entry: OutboxEntry): Promise<void> {
    await session.all(insert, { ...entry, document: JSON.stringify(entry.document) })
  },

  /** The latest entries, oldest of them first. */
  async latest(session: Session, limit: number): Promise<OutboxEntry[]> {
    const rows = await session.all(latest, { limit })
    return rows.map((row) => ({ ...row, document: JSON.parse(row.document) })).reverse()
  },
}
