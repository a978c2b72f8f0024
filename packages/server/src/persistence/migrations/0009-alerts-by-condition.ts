import { index, type Migration } from './migration.ts'

/** Finds a condition's alerts in all configurations, because all of them are closed when the condition ends. */
export const alertsByCondition: Migration = {
  id: 9,
  name: 'alerts-by-condition',
  up: (db) => [index(db, 'alerts', 'group_id', 'condition', 'status')],
}
