import { index, type Migration } from './migration.ts'

/**
 * Replaces an index, so that alerts that are due at the same time are sorted by ID. Their order is then the same on
 * every database.
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
