import { index, type Migration } from './migration.ts'

/**
 * Creates an index for finding a cluster's on-demand snapshots by stored state. Whether a snapshot is actually
 * unfinished also depends on the clock.
 */
export const unfinishedSnapshots: Migration = {
  id: 10,
  name: 'unfinished-snapshots',
  up: (db) => [
    index(db, 'snapshots', 'group_id', 'cluster_name', 'on_demand', 'state', 'since', 'expires_at'),
  ],
}
