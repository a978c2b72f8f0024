import { index, type Migration } from './migration.ts'

/**
 * Creates an index for finding all alerts for a condition, regardless of their configuration. All alerts for a
 * condition are closed when the condition ends.
 */
export const alertsByCondition: Migration = {
  id: 9,
  name: 'alerts-by-condition',
  up: (db) => [index(db, 'alerts', 'group_id', 'condition', 'status')],
}
