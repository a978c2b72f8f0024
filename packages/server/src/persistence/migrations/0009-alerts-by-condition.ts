import { index, type Migration } from './migration.ts'

/** A condition that is gone ends its alerts, whichever configurations raised them. */
export const alertsByCondition: Migration = {
  id: 9,
  name: 'alerts-by-condition',
  up: (db) => [index(db, 'alerts', 'group_id', 'condition', 'status')],
}
