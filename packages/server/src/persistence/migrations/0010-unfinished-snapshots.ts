import { index, type Migration } from './migration.ts'

/** Finds the on-demand snapshots of a cluster by state. Whether one is unfinished depends on the clock. */
export const unfinishedSnapshots: Migration = {
  id: 10,
  name: 'unfinished-snapshots',
  up: (db) => [
    index(db, 'snapshots', 'group_id', 'cluster_name', 'on_demand', 'state', 'since', 'expires_at'),
  ],
}
