import type { StoredState } from '../domain/lifecycle.ts'
import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'

/** A job that checks for known problems that would make a migration fail. */
export interface MigrationValidation extends StoredState {
  readonly id: string
  readonly groupId: string
  /** The source project's ID, or an empty string if the request didn't contain it. */
  readonly sourceGroupId: string
  /** The problem that would prevent the migration, or an empty string if there is none. */
  readonly failure: string
  readonly createdAt: number
}

const rows = rowsOf('migration_validations', {
  key: ['id'],
  fixed: ['group_id', 'created_at'],
  changing: ['source_group_id', 'state', 'since', 'target', 'failure'],
})
const get = rows.get(['id', 'group_id'])
const find = rows.find(['id', 'group_id'])

/** Reads and writes validation jobs. Jobs can only be looked up by ID, because no operation lists them. */
export const migrationValidations = {
  get: (session: Session, groupId: string, id: string): Promise<MigrationValidation | undefined> =>
    session.one(get, { groupId, id }),

  /** Returns a job. In a transaction, also locks the job. */
  find: (session: Session, groupId: string, id: string): Promise<MigrationValidation | undefined> =>
    session.one(find, { groupId, id }),

  async put(session: Session, validation: MigrationValidation): Promise<void> {
    await session.all(rows.put, { ...validation, target: validation.target ?? '' })
  },
}
