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

/** How many snapshots one transaction takes: others wait for it on SQLite. */
const batch = 200

/** The moments at which a schedule of a text asks for snapshots in a span: after years they are too many to be found twice. */
interface Plan {
  readonly text: string
  readonly span: DueSpan
  readonly moments: readonly number[]
}

/** Whether a plan says what is due in a span: the world may have been put back since it was made. */
const isPlanOf = ({ text, span }: Plan, asked: string, { from, jumpedTo, now }: DueSpan): boolean =>
  text === asked && span.jumpedTo === jumpedTo && span.now === now && span.from <= from

/**
 * Takes the snapshots that the schedule of a cluster has asked for by now, before anybody looks. Nothing runs in
 * between: which ones they are follows from the schedule and the clock, and each is taken once, whoever looks first. A
 * world that is put back meanwhile is settled up to where its clock is then, and no further.
 */
export async function settleSchedule(world: World, cluster: Cluster, now: number): Promise<void> {
  for (let plan = await settleBatch(world, cluster, now); plan; await othersTurn()) {
    plan = await settleBatch(world, cluster, now, plan)
  }
}

/** @returns what is left, if anything is. */
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
    // Another process was quicker.
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
