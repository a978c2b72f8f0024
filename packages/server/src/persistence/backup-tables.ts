/** Kysely types for the cloud backup tables. */
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
  /** The ID of the access role for writing to the bucket, or an empty string if there is none. */
  role_id: string
  created_at: number
  document: string
}

interface BackupScheduleTable {
  group_id: string
  cluster_name: string
  /** The time of the next snapshot, or null if no more snapshots are scheduled. */
  next_at: number | null
  /** The bucket for automatic exports, or an empty string if there is none. */
  export_bucket_id: string
  document: string
}

interface SnapshotTable {
  id: string
  group_id: string
  cluster_name: string
  /**
   * The kind of snapshot, which is `replicaSet`, `shardedCluster` or `serverless`. Each kind of snapshot has separate
   * operations.
   */
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
  /** The snapshot's ID, or an empty string for point-in-time restores. */
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
  /** The value is 1 if the support team has allowed users to disable the policy, otherwise 0. */
  deletable: number
  /** The value is 1 if schedules that violate the policy are rewritten when the policy becomes active, otherwise 0. */
  overwrites: number
  document: string
}
