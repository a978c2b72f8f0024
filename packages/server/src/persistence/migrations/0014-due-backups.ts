import { index, type Migration } from './migration.ts'

/** Creates indexes for finding due backup work and jobs that use a snapshot. */
export const dueBackups: Migration = {
  id: 14,
  name: 'due-backups',
  up: (db) => [
    index(db, 'backup_schedules', 'next_at'),
    index(db, 'compliance_policies', 'overwrites', 'state'),
    index(db, 'snapshots', 'expires_at'),
    index(db, 'restore_jobs', 'group_id', 'cluster_name', 'snapshot_id'),
  ],
}
