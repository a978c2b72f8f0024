import { index, type Migration } from './migration.ts'

/** Creates indexes for finding all rows that are deleted with a project. */
export const removalByProject: Migration = {
  id: 5,
  name: 'removal-by-project',
  up: (db) => [
    index(db, 'outbox', 'group_id'),
    index(db, 'live_migrations', 'group_id'),
    index(db, 'migration_validations', 'group_id'),
  ],
}
