import type { SnapshotKind } from './backup-schemas.ts'

/** The cluster fields that determine its kind of backups. */
interface ClusterType {
  /** `REPLICASET`, `SHARDED`, `SERVERLESS`, `FLEX` and so on. */
  readonly type: string
}

/** The kind of snapshots that a cluster has. */
export function snapshotKindOf({ type }: ClusterType): SnapshotKind {
  if (type === 'SERVERLESS' || type === 'FLEX') return 'serverless'
  return type.endsWith('SHARDED') ? 'shardedCluster' : 'replicaSet'
}

/** Names of the cluster's replica sets. A sharded cluster in the sandbox has two shards. */
export function replicaSetNames(cluster: ClusterType & { readonly name: string }): string[] {
  const shards = snapshotKindOf(cluster) === 'shardedCluster' ? [0, 1] : [0]
  return shards.map((shard) => `${cluster.name}-shard-${shard}`)
}
