import { index, type Migration } from './migration.ts'

/**
 * Creates an index for finding a condition's alerts in all configurations. All these alerts are closed when
 * the condition ends.
 */
export const alertsByCondition: Migration = {
  id: 9,
  name: 'alerts-by-condition',
  up: (db) => [index(db, 'alerts', 'group_id', 'condition', 'status')],
}
