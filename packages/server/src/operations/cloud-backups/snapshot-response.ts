import type { ReplicaSetSnapshotDocument, SnapshotKind } from '../../domain/backups/backup-schemas.ts'
import { type StoredSnapshot, shownSnapshot } from '../../domain/backups/snapshot.ts'
import { Stored } from '../../domain/stored.ts'
import { resource } from '../response.ts'

/** Maps each kind of snapshot to the operation that returns a single snapshot. */
const operationOf = { replicaSet: 'getSnapshot', shardedCluster: 'getShardedClusterSnapshot' } as const

interface SnapshotRow extends StoredSnapshot {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  readonly kind: SnapshotKind
}

/**
 * Builds a response for operations that return snapshots of both replica sets and sharded clusters. Snapshots of
 * sharded clusters also contain all fields that replica set snapshots require.
 */
export function snapshotResponse(snapshot: SnapshotRow, now: number) {
  const { id, groupId, clusterName, kind } = snapshot
  const document = Stored.from<ReplicaSetSnapshotDocument>(shownSnapshot(snapshot, now).text)
  const operationId = operationOf[kind === 'shardedCluster' ? kind : 'replicaSet']
  return resource(document, operationId, { groupId, clusterName, snapshotId: id })
}
