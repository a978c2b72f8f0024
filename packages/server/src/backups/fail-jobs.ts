import { hasEnded, stoppedExportJob } from '../domain/backups/export-job.ts'
import { isRestoring, stoppedRestoreJob } from '../domain/backups/restore-job.ts'
import type { Transaction } from '../persistence/database.ts'
import { type ExportJob, exportJobs } from '../persistence/export-jobs.ts'
import { restoreJobs } from '../persistence/restore-jobs.ts'
import type { Snapshot } from '../persistence/snapshots.ts'

/** The fields in exports and restores that identify a snapshot. */
type Source = Pick<Snapshot, 'id' | 'groupId' | 'clusterName'>

interface Reason {
  readonly errorCode: string
  readonly message: string
}

export async function failExportsOf(
  transaction: Transaction,
  snapshot: Source,
  reason: Reason,
  now: number,
): Promise<void> {
  await failExports(transaction, await exportJobs.ofSnapshot(transaction, snapshot, snapshot.id), reason, now)
}

const reasons = {
  removed: { errorCode: 'SNAPSHOT_REMOVED', message: 'The snapshot was removed.' },
  expired: { errorCode: 'SNAPSHOT_EXPIRED', message: 'The snapshot expired.' },
}

/** Marks a removed snapshot's unfinished exports and restores as failed. */
export async function failReadersOf(
  transaction: Transaction,
  snapshot: Source,
  why: keyof typeof reasons,
  now: number,
): Promise<void> {
  await failExportsOf(transaction, snapshot, reasons[why], now)
  for (const job of await restoreJobs.ofSnapshot(transaction, snapshot, snapshot.id)) {
    if (isRestoring(job, now)) await restoreJobs.put(transaction, stoppedRestoreJob(job, 'event', now))
  }
}

/** Marks all unfinished exports to a removed bucket as failed. */
export async function failExportsTo(
  transaction: Transaction,
  groupId: string,
  bucketId: string,
  now: number,
) {
  const reason = { errorCode: 'EXPORT_BUCKET_REMOVED', message: 'The export bucket was removed.' }
  const jobs = await exportJobs.begunIn(transaction, groupId, bucketId)
  await failExports(transaction, jobs, reason, now)
}

async function failExports(
  transaction: Transaction,
  jobs: readonly ExportJob[],
  reason: Reason,
  now: number,
): Promise<void> {
  for (const job of jobs) {
    if (!hasEnded(job, now)) await exportJobs.put(transaction, stoppedExportJob(job, 'Failed', reason, now))
  }
}
