import type { components } from '@svc-admin/types/newest'

type Schemas = components['schemas']

export type PolicyItem = Schemas['PolicyItem']
export type CopySetting = Schemas['CopySetting']
export type ExportBucketDocument = Omit<Schemas['ExportBucket'], 'links'>
/** The stored fields of a schedule. `nextSnapshot` isn't stored, because it's calculated from the clock. */
export type ScheduleDocument = Omit<Schemas['BackupSchedule'], 'links' | 'nextSnapshot'>
/** The stored fields of a compliance policy. `state` and `deletable` are stored in separate columns. */
export type CompliancePolicyDocument = Omit<Schemas['CompliancePolicy'], 'links' | 'state' | 'deletable'>
export type ExportJobDocument = Omit<Schemas['ExportJob'], 'links'>
export type RestoreJobDocument = Omit<Schemas['RestoreJob'], 'links'>
export type ReplicaSetSnapshotDocument = Omit<Schemas['ReplicaSetSnapshot'], 'links'>
export type ShardedClusterSnapshotDocument = Omit<Schemas['ShardedClusterSnapshot'], 'links'>
export type ServerlessSnapshotDocument = Omit<Schemas['ServerlessSnapshot'], 'links'>

/** Maps each kind of cluster to the type of its snapshot documents. */
export interface SnapshotDocuments {
  readonly replicaSet: ReplicaSetSnapshotDocument
  readonly shardedCluster: ShardedClusterSnapshotDocument
  readonly serverless: ServerlessSnapshotDocument
}

export type SnapshotKind = keyof SnapshotDocuments
export type SnapshotDocument = SnapshotDocuments[SnapshotKind]
