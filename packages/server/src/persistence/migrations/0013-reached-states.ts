import { index, type Migration, table } from './migration.ts'

/**
 * Creates a table for the transition mode `reads`. It contains the times when a lifecycle left a state because the
 * state had been read often enough.
 */
export const reachedStates: Migration = {
  id: 13,
  name: 'reached-states',
  up: (db) => [
    table(db, 'reached_states', { text: ['key'], numbers: ['at'], key: ['key'] }),
    index(db, 'reached_states', 'at'),
  ],
}
