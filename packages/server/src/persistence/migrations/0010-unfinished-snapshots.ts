import { index, type Migration } from './migration.ts'

/** Finds the on-demand snapshots of a cluster by their states: which of them is unfinished, the clock says. */
export const unfinishedSnapshots: Migration = {
  id: 10,
  name: 'unfinished-snapshots',
  up: (db) => [
    index(db, 'snapshots', 'group_id', 'cluster_name', 'on_demand', 'state', 'since', 'expires_at'),
  ],
}
