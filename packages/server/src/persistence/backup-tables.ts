/** The tables of cloud backups, as Kysely sees them. */
export interface BackupTables {
  export_buckets: ExportBucketTable
  backup_schedules: BackupScheduleTable
  snapshots: SnapshotTable
  restore_jobs: BackupJobTable
  export_jobs: BackupJobTable
  compliance_policies: CompliancePolicyTable
}

interface ExportBucketTable {
  id: string
  group_id: string
  /** The access role that writes to the bucket. */
  role_id: string
  created_at: number
  document: string
}

interface BackupScheduleTable {
  group_id: string
  cluster_name: string
  /** When the first snapshot that was not taken yet is due; null for never. */
  next_at: number | null
  /** The bucket that snapshots are exported to by themselves; empty for none. */
  export_bucket_id: string
  document: string
}

interface SnapshotTable {
  id: string
  group_id: string
  cluster_name: string
  /** `replicaSet`, `shardedCluster` or `serverless`: which operations see it. */
  kind: string
  on_demand: number
  state: string
  since: number
  size_bytes: number
  created_at: number
  expires_at: number
  document: string
}

interface BackupJobTable {
  id: string
  group_id: string
  cluster_name: string
  /** Empty for a point in time. */
  snapshot_id: string
  state: string
  since: number
  created_at: number
  document: string
}

interface CompliancePolicyTable {
  group_id: string
  state: string
  since: number
  /** True once support has allowed to disable it. */
  deletable: number
  /** True if schedules that fall short are rewritten when it becomes active. */
  overwrites: number
  document: string
}
