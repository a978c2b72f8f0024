import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { nextSnapshotAt } from '../domain/backups/due-snapshots.ts'
import { scheduleDefaults } from '../domain/backups/schedule-defaults.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Session } from '../persistence/database.ts'

/** Returns a cluster's backup schedule, with default values for unset settings. */
export async function scheduleOf(session: Session, cluster: Cluster): Promise<ScheduleDocument> {
  const kept = await backupSchedules.find(session, cluster.groupId, cluster.name)
  const { id: clusterId, name: clusterName } = cluster
  const empty = { clusterId, clusterName, autoExportEnabled: false, policies: [], ...scheduleDefaults }
  return { ...empty, ...kept?.document.value() }
}

/**
 * Stores a new or changed schedule. Before you call this function, take all snapshots that are due under the previous
 * schedule.
 */
export async function putSchedule(
  session: Session,
  { groupId, name: clusterName }: Pick<Cluster, 'groupId' | 'name'>,
  document: ScheduleDocument,
  now: number,
): Promise<void> {
  const nextAt = nextSnapshotAt(document, now)
  await backupSchedules.put(session, { groupId, clusterName, nextAt, document: Stored.of(document) })
}

/** Adds the time of the next snapshot to a schedule. */
export function shownSchedule(document: ScheduleDocument, now: number) {
  const nextAt = nextSnapshotAt(document, now)
  return Stored.of({ ...document, ...(nextAt === undefined ? {} : { nextSnapshot: timestamp(nextAt) }) })
}
