import { index, type Migration } from './migration.ts'

/**
 * Replaces an index so that alerts due at the same time are sorted by ID. Sorting by ID gives the same order on every
 * database.
 */
export const alertsInOrder: Migration = {
  id: 12,
  name: 'alerts-in-order',
  up: (db) => [
    index(db, 'alerts', 'group_id', 'due_at', 'id'),
    index(db, 'alerts', 'due_at', 'id'),
    db.schema.dropIndex('alerts_by_group_id_due_at'),
    db.schema.dropIndex('alerts_by_due_at'),
  ],
}
