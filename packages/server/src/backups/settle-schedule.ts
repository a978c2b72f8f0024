import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { type DueSnapshot, dueSnapshots, nextSnapshotAt } from '../domain/backups/due-snapshots.ts'
import { sameFrequency } from '../domain/backups/rhythm.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import type { Transaction } from '../persistence/database.ts'
import { snapshots } from '../persistence/snapshots.ts'
import type { World } from '../world/world.ts'
import { exportSnapshot } from './export-snapshot.ts'
import { copyRegionsOf, takeSnapshot } from './take-snapshot.ts'

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
    for (const due of dueSnapshots(document, schedule.nextAt, now)) {
      await take(transaction, world, cluster, document, due)
    }
    await snapshots.removeExpired(transaction, { groupId, clusterName: name }, now)
    await backupSchedules.put(transaction, { ...schedule, nextAt: nextSnapshotAt(document, now) })
  })
}

async function take(
  transaction: Transaction,
  world: World,
  cluster: Cluster,
  schedule: ScheduleDocument,
  due: DueSnapshot,
): Promise<void> {
  const copyRegions = copyRegionsOf(schedule, due.items[0]?.frequencyType)
  const snapshot = await takeSnapshot(transaction, world, cluster, { ...due, copyRegions })
  const exportBucketId = bucketFor(schedule, due)
  if (exportBucketId === undefined) return
  await exportSnapshot(transaction, world, {
    cluster,
    snapshot,
    exportBucketId,
    byName: schedule.useOrgAndGroupNamesInExportPrefix ?? false,
    createdAt: due.at,
    awaits: true,
  })
}

/** The bucket that a snapshot goes to by itself. A schedule that names no frequency exports all of them. */
function bucketFor({ autoExportEnabled, ...schedule }: ScheduleDocument, { items }: DueSnapshot) {
  const target = schedule.export
  if (!autoExportEnabled || !target) return undefined
  const wanted = target.frequencyType === undefined || items.some((item) => sameFrequency(item, target))
  return wanted ? target.exportBucketId : undefined
}
