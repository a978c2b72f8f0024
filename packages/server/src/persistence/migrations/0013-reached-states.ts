import { index, type Migration, table } from './migration.ts'

/**
 * Creates a table for the `reads` transition mode. The table stores when a resource left a state after the number of
 * reads that the mode specifies.
 */
export const reachedStates: Migration = {
  id: 13,
  name: 'reached-states',
  up: (db) => [
    table(db, 'reached_states', { text: ['key'], numbers: ['at'], key: ['key'] }),
    index(db, 'reached_states', 'at'),
  ],
}
