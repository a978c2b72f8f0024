import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { nextSnapshotAt } from '../domain/backups/due-snapshots.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Session } from '../persistence/database.ts'
import type { Snapshot } from '../persistence/snapshots.ts'

/** The schedule of a cluster; an empty one where nobody has set any. */
export async function scheduleOf(session: Session, cluster: Cluster): Promise<ScheduleDocument> {
  const kept = await backupSchedules.find(session, cluster.groupId, cluster.name)
  if (kept) return kept.document.value()
  return { clusterId: cluster.id, clusterName: cluster.name, autoExportEnabled: false, policies: [] }
}

/** Keeps a changed schedule. What it asked for until now was taken before; the rest follows the change. */
export async function putSchedule(
  session: Session,
  { groupId, name: clusterName }: Cluster,
  document: ScheduleDocument,
  now: number,
): Promise<void> {
  const nextAt = nextSnapshotAt(document, now)
  await backupSchedules.put(session, { groupId, clusterName, nextAt, document: Stored.of(document) })
}

/** The schedule as of now. */
export function shownSchedule(document: ScheduleDocument, now: number) {
  const nextAt = nextSnapshotAt(document, now)
  return Stored.of({ ...document, ...(nextAt === undefined ? {} : { nextSnapshot: timestamp(nextAt) }) })
}

/** The snapshot with another expiry. */
export function expiringAt(snapshot: Snapshot, expiresAt: number): Snapshot {
  const document = { ...snapshot.document.value(), expiresAt: timestamp(expiresAt) }
  return { ...snapshot, expiresAt, document: Stored.of(document) }
}
