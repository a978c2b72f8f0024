import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import {
  type DueSnapshot,
  dueSnapshots,
  isExported,
  nextSnapshotAt,
} from '../domain/backups/due-snapshots.ts'
import type { ExportFolder } from '../domain/backups/export-job.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import type { Transaction } from '../persistence/database.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'
import type { World } from '../world/world.ts'
import { exportFolder, exportSnapshot } from './export-snapshot.ts'
import { failReadersOf } from './fail-jobs.ts'
import { copyRegionsOf, newSnapshot } from './take-snapshot.ts'

/**
 * Takes the snapshots that the schedule of a cluster has asked for by now, before anybody looks. Nothing runs in
 * between: which ones they are follows from the schedule and the clock, and each is taken once, whoever looks first.
 */
export async function settleSchedule(world: World, cluster: Cluster, now: number): Promise<void> {
  const { groupId, name } = cluster
  await world.database.transaction(async (transaction) => {
    await clusters.lock(transaction, groupId, name)
    const schedule = await backupSchedules.find(transaction, groupId, name)
    // Another process was quicker.
    if (schedule?.nextAt === undefined || schedule.nextAt > now) return
    const document = schedule.document.value()
    const folder = await exportFolder(transaction, cluster, document)
    for (const due of dueSnapshots(document, schedule.nextAt, now)) {
      await takeDue(transaction, world, { cluster, schedule: document, folder, due }, now)
    }
    await backupSchedules.put(transaction, { ...schedule, nextAt: nextSnapshotAt(document, now) })
  })
}

/** What a schedule asks for of a cluster. */
interface Asked {
  readonly cluster: Cluster
  readonly schedule: ScheduleDocument
  readonly folder: ExportFolder
  readonly due: DueSnapshot
}

/** Takes a snapshot, unless it is expired by now, and exports it where the schedule says so: that has happened then. */
export async function takeDue(
  transaction: Transaction,
  world: World,
  { cluster, schedule, folder, due }: Asked,
  now: number,
): Promise<Snapshot> {
  const copyRegions = copyRegionsOf(schedule, due.items[0]?.frequencyType)
  const snapshot = newSnapshot(world, cluster, { ...due, copyRegions })
  if (snapshot.expiresAt > now) await snapshots.put(transaction, snapshot)
  const exportBucketId = schedule.export?.exportBucketId
  if (exportBucketId !== undefined && due.items.some((item) => isExported(schedule, item))) {
    const what = { cluster, snapshot, exportBucketId, folder, createdAt: due.at, awaits: true }
    await exportSnapshot(transaction, world, what)
    if (snapshot.expiresAt <= now) await failReadersOf(transaction, snapshot, 'expired', snapshot.expiresAt)
  }
  return snapshot
}
