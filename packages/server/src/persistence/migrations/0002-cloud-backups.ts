import type { Builder } from '../statement.ts'
import { index, type Migration, table } from './migration.ts'

/**
 * Creates the tables for export buckets, backup schedules, snapshots, restore and export jobs, and compliance policies.
 */
export const cloudBackups: Migration = {
  id: 2,
  name: 'cloud-backups',
  up: (db) => [
    ...buckets(db),
    ...snapshots(db),
    ...jobs(db, 'restore_jobs'),
    ...jobs(db, 'export_jobs'),
    index(db, 'export_jobs', 'group_id', 'cluster_name', 'snapshot_id'),
    table(db, 'compliance_policies', {
      text: ['group_id', 'state', 'document'],
      numbers: ['since', 'deletable'],
      key: ['group_id'],
    }),
  ],
}

const buckets = (db: Builder) => [
  table(db, 'export_buckets', {
    text: ['id', 'group_id', 'role_id', 'document'],
    numbers: ['created_at'],
    key: ['id'],
  }),
  index(db, 'export_buckets', 'group_id', 'created_at', 'id'),
  table(db, 'backup_schedules', {
    text: ['group_id', 'cluster_name', 'export_bucket_id', 'document'],
    maybe: ['next_at'],
    key: ['group_id', 'cluster_name'],
  }),
  index(db, 'backup_schedules', 'group_id', 'export_bucket_id'),
]

const snapshots = (db: Builder) => [
  table(db, 'snapshots', {
    text: ['id', 'group_id', 'cluster_name', 'kind', 'state', 'document'],
    numbers: ['on_demand', 'since', 'size_bytes', 'created_at', 'expires_at'],
    key: ['id'],
  }),
  // The index ends with the expiry, so that unexpired snapshots can be counted without reading the table.
  index(db, 'snapshots', 'group_id', 'cluster_name', 'kind', 'created_at', 'id', 'expires_at'),
  index(db, 'snapshots', 'group_id', 'cluster_name', 'on_demand', 'created_at', 'id'),
]

const jobs = (db: Builder, name: string) => [
  table(db, name, {
    text: ['id', 'group_id', 'cluster_name', 'snapshot_id', 'state', 'document'],
    numbers: ['since', 'created_at'],
    key: ['id'],
  }),
  index(db, name, 'group_id', 'cluster_name', 'created_at', 'id'),
]
