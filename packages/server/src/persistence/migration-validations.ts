import type { StoredState } from '../domain/lifecycle.ts'
import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'

/** A job that checks whether a migration would fail because of a known problem. */
export interface MigrationValidation extends StoredState {
  readonly id: string
  readonly groupId: string
  /** The source project's ID. Empty if the request didn't contain it. */
  readonly sourceGroupId: string
  /** The problem that would prevent the migration. Empty if there is none. */
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

/** Statements for validation jobs. Jobs can only be found by ID, because no operation lists them. */
export const migrationValidations = {
  get: (session: Session, groupId: string, id: string): Promise<MigrationValidation | undefined> =>
    session.one(get, { groupId, id }),

  /** Returns a job. In a transaction, also locks it. */
  find: (session: Session, groupId: string, id: string): Promise<MigrationValidation | undefined> =>
    session.one(find, { groupId, id }),

  async put(session: Session, validation: MigrationValidation): Promise<void> {
    await session.all(rows.put, { ...validation, target: validation.target ?? '' })
  },
}
