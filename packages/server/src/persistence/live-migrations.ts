import type { StoredState } from '../domain/lifecycle.ts'
import type { Session } from './database.ts'
import { type RowOf, rowsOf } from './rows.ts'

/** A live migration to a cluster, using the push method. The source's credentials aren't stored. */
export interface LiveMigration extends StoredState {
  readonly id: string
  readonly groupId: string
  /** The hosts in the request. Undefined if the request didn't contain any. */
  readonly hosts: readonly string[] | undefined
  readonly createdAt: number
}

const rows = rowsOf('live_migrations', {
  key: ['id'],
  fixed: ['group_id', 'created_at'],
  changing: ['state', 'since', 'target', 'hosts'],
})
const get = rows.get(['id', 'group_id'])
const find = rows.find(['id', 'group_id'])

/** Statements for live migrations. Migrations can only be found by ID, because no operation lists them. */
export const liveMigrations = {
  async get(session: Session, groupId: string, id: string): Promise<LiveMigration | undefined> {
    const row = await session.one(get, { groupId, id })
    return row && migrationOf(row)
  },

  /** Returns a migration. In a transaction, also locks it. */
  async find(session: Session, groupId: string, id: string): Promise<LiveMigration | undefined> {
    const row = await session.one(find, { groupId, id })
    return row && migrationOf(row)
  },

  async put(session: Session, { target, hosts, ...migration }: LiveMigration): Promise<void> {
    const kept = { ...migration, target: target ?? '', hosts: hosts ? JSON.stringify(hosts) : '' }
    await session.all(rows.put, kept)
  },
}

function migrationOf({ hosts, ...row }: RowOf<'live_migrations'>): LiveMigration {
  return { ...row, hosts: hosts === '' ? undefined : JSON.parse(hosts) }
}
