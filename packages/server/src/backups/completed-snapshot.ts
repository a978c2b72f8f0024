import { completed, snapshotStateAt } from '../domain/backups/snapshot.ts'
import { problem } from '../domain/problem.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Transaction } from '../persistence/database.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'

/**
 * Returns the completed snapshot with the given ID.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the cluster doesn't have this snapshot, or `INVALID_STATE` if the snapshot
 * isn't completed.
 */
export async function requireCompleted(
  transaction: Transaction,
  { groupId, name: clusterName }: Cluster,
  id: string,
  now: number,
): Promise<Snapshot> {
  const snapshot = await snapshots.find(transaction, { groupId, clusterName }, id, now)
  const parameters = ['/snapshotId']
  if (!snapshot) {
    const detail = `No snapshot with the ID ${id} exists for the cluster.`
    throw problem('RESOURCE_NOT_FOUND', { detail, parameters })
  }
  const state = snapshotStateAt(snapshot, now)
  if (state === completed) return snapshot
  throw problem('INVALID_STATE', { detail: `The snapshot must be completed, but is ${state}.`, parameters })
}
