import type { ExportJobDocument } from '../domain/backups/backup-schemas.ts'
import { runningExportStates, shownExportJob } from '../domain/backups/export-job.ts'
import { type BackupJob, type Cluster, jobOf, jobRows, jobStore } from './backup-jobs.ts'
import type { Session, Transaction } from './database.ts'

export interface ExportJob extends BackupJob<ExportJobDocument> {}

const rows = jobRows('export_jobs')
const ofSnapshot = rows.find(['group_id', 'cluster_name', 'snapshot_id'])
const inState = rows.get(['group_id', 'state'])

/** Reads and writes export jobs. Lists are sorted by creation time. */
export const exportJobs = {
  ...jobStore(rows, shownExportJob),

  /** Locks and returns a snapshot's exports. */
  async ofSnapshot(
    session: Session,
    { groupId, clusterName }: Cluster,
    snapshotId: string,
  ): Promise<ExportJob[]> {
    return (await session.all(ofSnapshot, { groupId, clusterName, snapshotId })).map(jobOf<ExportJobDocument>)
  },

  /**
   * Returns a project's exports to a bucket, except for exports whose final state is stored. This method reads all
   * exports in the project, which is acceptable because buckets are rarely deleted. No other export can start while the
   * bucket is locked.
   */
  async begunIn(transaction: Transaction, groupId: string, bucketId: string): Promise<ExportJob[]> {
    const found: ExportJob[] = []
    for (const state of runningExportStates) {
      for (const row of await transaction.all(inState, { groupId, state })) {
        if (row.document.includes(bucketId)) found.push(jobOf(row))
      }
    }
    return found.filter(({ document }) => document.value().exportBucketId === bucketId)
  },
}
