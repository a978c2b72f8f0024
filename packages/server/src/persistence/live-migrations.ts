import type { StoredState } from '../domain/lifecycle.ts'
import type { Session } from './database.ts'
import { type RowOf, rowsOf } from './rows.ts'

/** A live migration to a cluster, using the push method. Credentials for the source aren't stored. */
export interface LiveMigration extends StoredState {
  readonly id: string
  readonly groupId: string
  /** The hosts in the request, or undefined if there were none. */
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

/** Reads and writes live migrations. Migrations can only be looked up by ID, because no operation lists them. */
export const liveMigrations = {
  async get(session: Session, groupId: string, id: string): Promise<LiveMigration | undefined> {
    const row = await session.one(get, { groupId, id })
    return row && migrationOf(row)
  },

  /** Returns a migration. In a transaction, also locks the migration. */
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
