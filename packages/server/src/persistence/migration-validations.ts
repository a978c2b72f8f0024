import type { StoredState } from '../domain/lifecycle.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

/** A job that checks for problems that would prevent a migration. */
export interface MigrationValidation extends StoredState {
  readonly id: string
  readonly groupId: string
  /** Empty if the request didn't contain it. */
  readonly sourceGroupId: string
  /** The problem that prevents the migration, or an empty string. */
  readonly failure: string
  readonly createdAt: number
}

type Key = { groupId: string; id: string }

const columns = [
  'id',
  'group_id as groupId',
  'source_group_id as sourceGroupId',
  'state',
  'since',
  'target',
  'failure',
  'created_at as createdAt',
] as const

const get = statement((db, $: Slots<Key>) =>
  db
    .selectFrom('migration_validations')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId')),
)
const find = statement((db, $: Slots<Key>, dialect) =>
  db
    .selectFrom('migration_validations')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

interface Values extends Record<string, string | number> {
  id: string
  groupId: string
  sourceGroupId: string
  state: string
  since: number
  target: string
  failure: string
  createdAt: number
}

const put = statement((db, $: Slots<Values>) => {
  const changing = {
    source_group_id: $('sourceGroupId'),
    state: $('state'),
    since: $('since'),
    target: $('target'),
    failure: $('failure'),
  }
  return db
    .insertInto('migration_validations')
    .values({ id: $('id'), group_id: $('groupId'), created_at: $('createdAt'), ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
})

/** Validation jobs by ID. No operation lists them. */
export const migrationValidations = {
  get: (session: Session, groupId: string, id: string): Promise<MigrationValidation | undefined> =>
    session.one(get, { groupId, id }),

  /** Returns the job. In a transaction, also locks the job. */
  find: (session: Session, groupId: string, id: string): Promise<MigrationValidation | undefined> =>
    session.one(find, { groupId, id }),

  /** Inserts or updates a job. */
  async put(session: Session, validation: MigrationValidation): Promise<void> {
    await session.all(put, { ...validation, target: validation.target ?? '' })
  },
}
