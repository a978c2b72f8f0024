import { settleBackups } from '../../backups/protection.ts'
import { snapshotKindOf } from '../../domain/backups/cluster-kind.ts'
import { problem } from '../../domain/problem.ts'
import type { Cluster } from '../../persistence/clusters.ts'
import type { AnyInput } from '../operation.ts'
import { requireCluster } from '../require-cluster.ts'

interface Input extends Pick<AnyInput, 'world' | 'now'> {
  readonly path: { readonly groupId: string; readonly clusterName: string }
}

/**
 * Takes due snapshots, deletes expired snapshots, and returns the cluster from the path.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the cluster doesn't exist, or is a serverless instance or a flex cluster.
 */
export async function backedUpCluster({ world, path, now }: Input): Promise<Cluster> {
  const cluster = await requireCluster(world.database, path.groupId, path.clusterName)
  if (snapshotKindOf(cluster) === 'serverless') {
    throw problem('RESOURCE_NOT_FOUND', {
      detail: `${path.clusterName} is a serverless instance or flex cluster. Use the operations for serverless backups instead.`,
    })
  }
  await settleBackups(world, cluster, now)
  return cluster
}

/**
 * Deletes expired snapshots and returns the serverless instance or flex cluster from the path.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the cluster doesn't exist or has a different type.
 */
export async function backedUpInstance({ world, path, now }: Input): Promise<Cluster> {
  const cluster = await requireCluster(world.database, path.groupId, path.clusterName)
  if (snapshotKindOf(cluster) === 'serverless') {
    await settleBackups(world, cluster, now)
    return cluster
  }
  throw problem('RESOURCE_NOT_FOUND', {
    detail: `No serverless instance or flex cluster named ${path.clusterName} exists in the project.`,
  })
}
