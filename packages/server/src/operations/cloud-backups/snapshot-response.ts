import type { ReplicaSetSnapshotDocument, SnapshotKind } from '../../domain/backups/backup-schemas.ts'
import { type StoredSnapshot, shownSnapshot } from '../../domain/backups/snapshot.ts'
import { Stored } from '../../domain/stored.ts'
import { resource } from '../response.ts'

/** Where a snapshot of a cluster is found, by its kind. */
const operationOf = { replicaSet: 'getSnapshot', shardedCluster: 'getShardedClusterSnapshot' } as const

interface SnapshotRow extends StoredSnapshot {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  readonly kind: SnapshotKind
}

/**
 * A snapshot of a replica set or sharded cluster as the operations answer that serve both. What the document
 * requires of a replica set's snapshot, a sharded cluster's has too.
 */
export function snapshotResponse(snapshot: SnapshotRow, now: number) {
  const { id, groupId, clusterName, kind } = snapshot
  const document = Stored.from<ReplicaSetSnapshotDocument>(shownSnapshot(snapshot, now).text)
  const operationId = operationOf[kind === 'shardedCluster' ? kind : 'replicaSet']
  return resource(document, operationId, { groupId, clusterName, snapshotId: id })
}
