import { index, type Migration, table } from './migration.ts'

/**
 * Creates a table for the `reads` transition mode. The table contains the times when a resource left a state because
 * requests had read this state often enough.
 */
export const reachedStates: Migration = {
  id: 13,
  name: 'reached-states',
  up: (db) => [
    table(db, 'reached_states', { text: ['key'], numbers: ['at'], key: ['key'] }),
    index(db, 'reached_states', 'at'),
  ],
}
