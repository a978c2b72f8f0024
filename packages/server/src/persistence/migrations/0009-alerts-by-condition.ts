import { index, type Migration } from './migration.ts'

/**
 * Creates an index for finding the alerts that all configurations have raised for a condition. When the condition ends,
 * these alerts are closed.
 */
export const alertsByCondition: Migration = {
  id: 9,
  name: 'alerts-by-condition',
  up: (db) => [index(db, 'alerts', 'group_id', 'condition', 'status')],
}
