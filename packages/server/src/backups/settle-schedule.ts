import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import {
  type DueSnapshot,
  type DueSpan,
  dueTimes,
  isExported,
  nextSnapshotAt,
  snapshotsAt,
} from '../domain/backups/due-snapshots.ts'
import type { ExportFolder } from '../domain/backups/export-job.ts'
import { backupSchedules } from '../persistence/backup-schedules.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import type { Transaction } from '../persistence/database.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'
import { settleLimit } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { exportFolder, exportSnapshot } from './export-snapshot.ts'
import { failReadersOf } from './fail-jobs.ts'
import { copyRegionsOf, newSnapshot } from './take-snapshot.ts'

/**
 * The number of snapshots to take per transaction. The limit is low, because an open transaction blocks other requests
 * on SQLite.
 */
const batch = 200

/**
 * The times in a period at which a schedule requires snapshots. Plans are cached, because calculating the times for
 * several years is slow.
 */
interface Plan {
  readonly text: string
  readonly span: DueSpan
  readonly moments: readonly number[]
}

/**
 * Returns whether a cached plan can be used for the given schedule and period. After the world is restored to an
 * earlier time, cached plans are invalid.
 */
const isPlanOf = ({ text, span }: Plan, asked: string, { from, jumpedTo, now }: DueSpan): boolean =>
  text === asked && span.jumpedTo === jumpedTo && span.now === now && span.from <= from

/**
 * Takes all due snapshots before a request reads the cluster's snapshots. Background jobs aren't needed, because the
 * server calculates due snapshots from the schedule and the clock. If requests run concurrently, each snapshot is still
 * taken only once. If the world is restored to an earlier time while this function runs, the function stops at that
 * time.
 */
export async function settleSchedule(world: World, cluster: Cluster, now: number): Promise<void> {
  for (let plan = await settleBatch(world, cluster, now); plan; await othersTurn()) {
    plan = await settleBatch(world, cluster, now, plan)
  }
}

/** Takes one batch of due snapshots. Returns the rest of the plan, or undefined if no snapshots remain. */
async function settleBatch(
  world: World,
  cluster: Cluster,
  moment: number,
  plan?: Plan,
): Promise<Plan | undefined> {
  const { groupId, name } = cluster
  return world.database.transaction(async (transaction) => {
    await clusters.lock(transaction, groupId, name)
    const now = await settleLimit(world.clock, moment, transaction)
    const schedule = await backupSchedules.find(transaction, groupId, name)
    // Another process has already taken the snapshots.
    if (schedule?.nextAt === undefined || schedule.nextAt > now) return undefined
    const { nextAt: from, document: stored } = schedule
    const [{ text }, document] = [stored, stored.value()]
    const span = { from, jumpedTo: await world.clock.jumpedTo(transaction), now }
    const planned = plan && isPlanOf(plan, text, span) ? plan.moments : dueTimes(document, span)
    const moments = planned.filter((at) => at >= from)
    const next = moments[batch]
    const folder = await exportFolder(transaction, cluster, document)
    for (const due of snapshotsAt(document, moments.slice(0, batch))) {
      await takeDue(transaction, world, { cluster, schedule: document, folder, due }, now)
    }
    await backupSchedules.put(transaction, { ...schedule, nextAt: next ?? nextSnapshotAt(document, now) })
    return next === undefined ? undefined : { text, span, moments }
  })
}

/** A cluster, along with a schedule that requires a snapshot of the cluster. */
interface Asked {
  readonly cluster: Cluster
  readonly schedule: ScheduleDocument
  readonly folder: ExportFolder
  readonly due: DueSnapshot
}

/**
 * Takes a due snapshot and exports it if the schedule enables automatic exports. If the snapshot has already expired,
 * stores only the export job, because the export started before the snapshot expired.
 */
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
