import { type OperationId, type OperationRow, operations, type RoleId } from '@svc-admin/types'
import type { components } from '@svc-admin/types/newest'
import type { RestoreJobDocument } from '../domain/backups/backup-schemas.ts'
import { replicaSetNames, snapshotKindOf } from '../domain/backups/cluster-kind.ts'
import { initialRestoreState } from '../domain/backups/restore-job.ts'
import { problem } from '../domain/problem.ts'
import { accessTo, type Grant } from '../domain/roles.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import { type RestoreJob, restoreJobs } from '../persistence/restore-jobs.ts'
import { tenants } from '../persistence/tenants.ts'
import type { World } from '../world/world.ts'
import { requireCompleted } from './completed-snapshot.ts'

export type RestoreRequest = components['schemas']['RestoreJobRequest']

/** Starts a restore for a validated request. The server calculates the restore's progress from the clock. */
export function startRestore(world: World, cluster: Cluster, request: RestoreRequest, now: number) {
  return world.database.transaction(async (transaction): Promise<RestoreJob> => {
    const { groupId, name: clusterName } = cluster
    const { snapshotId } = request
    const snapshot =
      snapshotId === undefined ? undefined : await requireCompleted(transaction, cluster, snapshotId, now)
    const id = world.ids.next(now)
    const takenAt = snapshot && { timestamp: timestamp(snapshot.createdAt) }
    const job: RestoreJob = {
      id,
      groupId,
      clusterName,
      snapshotId: snapshotId ?? '',
      state: initialRestoreState,
      since: now,
      createdAt: now,
      document: Stored.of({ ...documentOf(id, cluster, request), ...takenAt }),
    }
    await restoreJobs.put(transaction, job)
    return job
  })
}

function documentOf(id: string, cluster: Cluster, request: RestoreRequest): RestoreJobDocument {
  const sharded = snapshotKindOf(cluster) === 'shardedCluster'
  return {
    id,
    ...request,
    ...(request.deliveryType === 'pointInTime' ? { desiredTimestamp: momentOf(request) } : {}),
    ...(sharded
      ? { components: replicaSetNames(cluster).map((replicaSetName) => ({ replicaSetName })) }
      : {}),
    cancelled: false,
    expired: false,
    failed: false,
  }
}

function momentOf({ pointInTimeUTCSeconds, oplogTs, oplogInc }: RestoreRequest) {
  const seconds = pointInTimeUTCSeconds ?? oplogTs ?? 0
  return { date: timestamp(seconds * 1000), increment: oplogInc ?? 1 }
}

/**
 * Checks the target cluster of a restore. The caller needs one of the operation's roles in the target project. A
 * serverless source cluster requires a serverless target cluster, and vice versa.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the project doesn't exist, is hidden from the caller, or has no suitable
 *   cluster, or `INSUFFICIENT_ROLE` if the caller lacks the role.
 */
export async function requireTarget(
  world: World,
  caller: { readonly grants: readonly Grant[]; readonly operationId: OperationId },
  source: Cluster,
  { targetGroupId = '', targetClusterName }: RestoreRequest,
): Promise<void> {
  const project = await tenants.project(world.database, targetGroupId)
  const scope = { orgId: project?.orgId ?? '', groupId: targetGroupId }
  const access = project ? accessTo(caller.grants, scope, rolesOf(caller.operationId)) : 'unknown'
  if (access === 'forbidden') {
    throw problem('INSUFFICIENT_ROLE', {
      detail: 'The operation requires the same role in the target project.',
    })
  }
  if (access === 'unknown') {
    throw problem('RESOURCE_NOT_FOUND', {
      detail: `No project with the ID ${targetGroupId} exists.`,
      parameters: ['/targetGroupId'],
    })
  }
  // Restores without a target cluster are downloads.
  if (targetClusterName === undefined) return
  const target = await clusters.byName(world.database, targetGroupId, targetClusterName)
  const isServerless = (cluster: Cluster) => snapshotKindOf(cluster) === 'serverless'
  if (target && isServerless(target) === isServerless(source)) return
  throw problem('RESOURCE_NOT_FOUND', {
    detail: `The target project has no cluster named ${targetClusterName} that a snapshot can be restored to.`,
    parameters: ['/targetClusterName'],
  })
}

/** Returns the roles that an operation accepts, which are the same in all versions. */
function rolesOf(operationId: OperationId): readonly (RoleId | 'ANY')[] {
  const row: OperationRow = operations[operationId]
  return Object.values(row.versions)[0]?.roles ?? []
}
