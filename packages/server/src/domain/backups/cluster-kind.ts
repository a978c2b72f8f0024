import type { SnapshotKind } from './backup-schemas.ts'

/** The cluster fields that determine which kinds of backups are supported. */
interface ClusterType {
  /** The cluster type, such as `REPLICASET`, `SHARDED`, `SERVERLESS` or `FLEX`. */
  readonly type: string
}

export function snapshotKindOf({ type }: ClusterType): SnapshotKind {
  if (type === 'SERVERLESS' || type === 'FLEX') return 'serverless'
  return type.endsWith('SHARDED') ? 'shardedCluster' : 'replicaSet'
}

/** Returns the names of a cluster's replica sets. In the sandbox, each sharded cluster has two shards. */
export function replicaSetNames(cluster: ClusterType & { readonly name: string }): string[] {
  const shards = snapshotKindOf(cluster) === 'shardedCluster' ? [0, 1] : [0]
  return shards.map((shard) => `${cluster.name}-shard-${shard}`)
}
