import type { RestoreJobDocument } from '../domain/backups/backup-schemas.ts'
import { initialRestoreState, shownRestoreJob } from '../domain/backups/restore-job.ts'
import { type BackupJob, type Cluster, jobOf, jobRows, jobStore } from './backup-jobs.ts'
import type { Session } from './database.ts'

export interface RestoreJob extends BackupJob<RestoreJobDocument> {}

const rows = jobRows('restore_jobs')
const ofSnapshot = rows.find(['group_id', 'cluster_name', 'snapshot_id', 'state'])

/** Reads and writes restore jobs. Lists are sorted by creation time. */
export const restoreJobs = {
  ...jobStore(rows, shownRestoreJob),

  /** Locks and returns a snapshot's restores, except restores with a stored final state. */
  async ofSnapshot(
    session: Session,
    { groupId, clusterName }: Cluster,
    snapshotId: string,
  ): Promise<RestoreJob[]> {
    const values = { groupId, clusterName, snapshotId, state: initialRestoreState }
    return (await session.all(ofSnapshot, values)).map(jobOf<RestoreJobDocument>)
  },
}
