import { index, type Migration } from './migration.ts'

/** When a condition ends, its alerts are closed in all configurations. */
export const alertsByCondition: Migration = {
  id: 9,
  name: 'alerts-by-condition',
  up: (db) => [index(db, 'alerts', 'group_id', 'condition', 'status')],
}
