import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { replicaSetNames } from '../domain/backups/cluster-kind.ts'
import {
  awaitingSnapshot,
  type ExportFolder,
  exportPrefix,
  initialExportState,
} from '../domain/backups/export-job.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Session } from '../persistence/database.ts'
import { type ExportJob, exportJobs } from '../persistence/export-jobs.ts'
import type { Snapshot } from '../persistence/snapshots.ts'
import { tenants } from '../persistence/tenants.ts'
import type { World } from '../world/world.ts'

/** The source and destination of an export job. */
export interface Export {
  readonly cluster: Cluster
  readonly snapshot: Snapshot
  readonly exportBucketId: string
  readonly customData?: ExportLabels | undefined
  readonly folder: ExportFolder
  readonly createdAt: number
  /** Whether the snapshot is still queued, in which case the export starts after the snapshot is completed. */
  readonly awaits: boolean
}

type ExportLabels = NonNullable<ReturnType<ExportJob['document']['value']>['customData']>

/** Starts an export. The server calculates the export's progress from the clock. */
export async function exportSnapshot(session: Session, world: World, what: Export): Promise<ExportJob> {
  const { cluster, snapshot, exportBucketId, customData, createdAt } = what
  const id = world.ids.next(createdAt)
  const job: ExportJob = {
    id,
    groupId: cluster.groupId,
    clusterName: cluster.name,
    snapshotId: snapshot.id,
    state: what.awaits ? awaitingSnapshot : initialExportState,
    since: createdAt,
    createdAt,
    document: Stored.of({
      id,
      snapshotId: snapshot.id,
      exportBucketId,
      ...(customData === undefined ? {} : { customData }),
      ...componentsOf(world, what),
      state: initialExportState,
      exportStatus: { exportedCollections: 0, totalCollections: collectionsOf(cluster) },
      prefix: exportPrefix({ ...what.folder, takenAt: timestamp(snapshot.createdAt) }),
      createdAt: timestamp(createdAt),
    }),
  }
  await exportJobs.put(session, job)
  return job
}

function componentsOf(world: World, { cluster, snapshot, createdAt }: Export) {
  if (snapshot.kind !== 'shardedCluster') return {}
  const components = replicaSetNames(cluster).map((replicaSetName) => ({
    exportId: world.ids.next(createdAt),
    replicaSetName,
  }))
  return { components }
}

/** Returns the folder for a cluster's exports in the bucket. */
export async function exportFolder(
  session: Session,
  cluster: Cluster,
  { useOrgAndGroupNamesInExportPrefix: byName = false }: ScheduleDocument,
): Promise<ExportFolder> {
  const project = await tenants.project(session, cluster.groupId)
  const organization = project && (await tenants.organization(session, project.orgId))
  return {
    organization: (byName ? organization?.name : project?.orgId) ?? '',
    project: (byName ? project?.name : undefined) ?? cluster.groupId,
    clusterName: cluster.name,
  }
}

/** Returns a fictitious number of collections that is always the same for a given cluster. */
function collectionsOf({ id }: Cluster): number {
  return 10 + (Number.parseInt(id.slice(-4), 16) % 90)
}
