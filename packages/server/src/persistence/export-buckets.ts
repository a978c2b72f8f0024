import type { ExportBucketDocument } from '../domain/backups/backup-schemas.ts'
import { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import type { LinkText } from './page-text.ts'
import { countOf } from './row-counts.ts'
import { rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

/** A cloud storage bucket for exported snapshots. */
export interface ExportBucket {
  readonly id: string
  readonly groupId: string
  readonly roleId: string
  readonly createdAt: number
  readonly document: Stored<ExportBucketDocument>
}

type Key = { groupId: string; id: string }

const get = statement((db, $: Slots<Key>) =>
  db
    .selectFrom('export_buckets')
    .select('document')
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId')),
)
const locked = statement((db, $: Slots<Key>, dialect) =>
  db
    .selectFrom('export_buckets')
    .select('id')
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const page = statement((db, $: Slots<{ groupId: string; limit: number; offset: number }>) =>
  db
    .selectFrom('export_buckets')
    .select(['id', 'document'])
    .where('group_id', '=', $('groupId'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const count = statement((db, $: Slots<{ groupId: string }>, dialect) =>
  countOf(db, dialect, 'export_buckets group_id', $('groupId')),
)
const roleUses = statement((db, $: Slots<{ groupId: string }>) =>
  db
    .selectFrom('export_buckets')
    .select(['id', 'role_id as roleId'])
    .where('group_id', '=', $('groupId'))
    .orderBy('created_at')
    .orderBy('id'),
)
const { put } = rowsOf('export_buckets', {
  key: ['id'],
  fixed: ['group_id', 'created_at'],
  changing: ['role_id', 'document'],
})
const remove = statement((db, $: Slots<Key>) =>
  db.deleteFrom('export_buckets').where('id', '=', $('id')).where('group_id', '=', $('groupId')),
)

/** Reads and writes export buckets. Lists are sorted by creation time. */
export const exportBuckets = {
  async get(session: Session, groupId: string, id: string) {
    const row = await session.one(get, { groupId, id })
    return row && Stored.from<ExportBucketDocument>(row.document)
  },

  /** Locks a bucket until the transaction ends, and returns whether the bucket exists. */
  async lock(session: Session, groupId: string, id: string): Promise<boolean> {
    return (await session.one(locked, { groupId, id })) !== undefined
  },

  async page(session: Session, groupId: string, limit: number, offset: number) {
    const rows = await session.all(page, { groupId, limit, offset })
    return rows.map(({ id, document }) => ({ id, document: Stored.from<ExportBucketDocument>(document) }))
  },

  pageText: (session: Session, groupId: string, limit: number, offset: number, link: LinkText) =>
    session.page(page, { groupId, limit, offset }, link),

  async count(session: Session, groupId: string): Promise<number> {
    return Number((await session.one(count, { groupId }))?.total ?? 0)
  },

  /** Returns the access roles that a project's buckets use. */
  roleUses: (session: Session, groupId: string): Promise<readonly { id: string; roleId: string }[]> =>
    session.all(roleUses, { groupId }),

  async put(session: Session, { document, ...bucket }: ExportBucket): Promise<void> {
    await session.all(put, { ...bucket, document: document.text })
  },

  async remove(session: Session, groupId: string, id: string): Promise<void> {
    await session.all(remove, { groupId, id })
  },
}
