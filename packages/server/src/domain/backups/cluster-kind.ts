import type { SnapshotKind } from './backup-schemas.ts'

/** What the kind of a cluster decides about its backups. */
interface ClusterType {
  /** `REPLICASET`, `SHARDED` …, `SERVERLESS` or `FLEX`. */
  readonly type: string
}

/** The kind of snapshots that a cluster has. */
export function snapshotKindOf({ type }: ClusterType): SnapshotKind {
  if (type === 'SERVERLESS' || type === 'FLEX') return 'serverless'
  return type.endsWith('SHARDED') ? 'shardedCluster' : 'replicaSet'
}

/** Names of the replica sets that a cluster is made of. The sandbox gives a sharded cluster two. */
export function replicaSetNames(cluster: ClusterType & { readonly name: string }): string[] {
  const shards = snapshotKindOf(cluster) === 'shardedCluster' ? [0, 1] : [0]
  return shards.map((shard) => `${cluster.name}-shard-${shard}`)
}
