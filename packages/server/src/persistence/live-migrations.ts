import type { StoredState } from '../domain/lifecycle.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

/** A push live migration to one of the project's clusters. The source's credentials aren't stored. */
export interface LiveMigration extends StoredState {
  readonly id: string
  readonly groupId: string
  /** The hosts from the request, if any. */
  readonly hosts: readonly string[] | undefined
  readonly createdAt: number
}

type Key = { groupId: string; id: string }

const columns = [
  'id',
  'group_id as groupId',
  'state',
  'since',
  'target',
  'hosts',
  'created_at as createdAt',
] as const

const get = statement((db, $: Slots<Key>) =>
  db
    .selectFrom('live_migrations')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId')),
)
const find = statement((db, $: Slots<Key>, dialect) =>
  db
    .selectFrom('live_migrations')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

interface Values extends Record<string, string | number> {
  id: string
  groupId: string
  state: string
  since: number
  target: string
  hosts: string
  createdAt: number
}

const put = statement((db, $: Slots<Values>) => {
  const changing = { state: $('state'), since: $('since'), target: $('target'), hosts: $('hosts') }
  return db
    .insertInto('live_migrations')
    .values({ id: $('id'), group_id: $('groupId'), created_at: $('createdAt'), ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
})

/** Live migrations by ID. No operation lists them. */
export const liveMigrations = {
  async get(session: Session, groupId: string, id: string): Promise<LiveMigration | undefined> {
    const row = await session.one(get, { groupId, id })
    return row && migrationOf(row)
  },

  /** Returns the migration. In a transaction, also locks the migration. */
  async find(session: Session, groupId: string, id: string): Promise<LiveMigration | undefined> {
    const row = await session.one(find, { groupId, id })
    return row && migrationOf(row)
  },

  /** Inserts or updates a migration. */
  async put(session: Session, { target, hosts, ...migration }: LiveMigration): Promise<void> {
    const kept = { ...migration, target: target ?? '', hosts: hosts ? JSON.stringify(hosts) : '' }
    await session.all(put, kept)
  },
}

function migrationOf({ hosts, ...row }: Values): LiveMigration {
  return { ...row, hosts: hosts === '' ? undefined : JSON.parse(hosts) }
}
