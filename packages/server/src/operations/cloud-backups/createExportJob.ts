import { requireCompleted } from '../../backups/completed-snapshot.ts'
import { exportFolder, exportSnapshot } from '../../backups/export-snapshot.ts'
import { scheduleOf } from '../../backups/schedules.ts'
import { shownExportJob } from '../../domain/backups/export-job.ts'
import { exportBucketNotFound } from '../../domain/backups/not-found.ts'
import { exportBuckets } from '../../persistence/export-buckets.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('createExportJob', async (input) => {
  const { world, path, body, now } = input
  const { exportBucketId, snapshotId, customData } = body
  const cluster = await backedUpCluster(input)
  const job = await world.database.transaction(async (transaction) => {
    if (!(await exportBuckets.lock(transaction, path.groupId, exportBucketId))) {
      throw exportBucketNotFound(exportBucketId, '/exportBucketId')
    }
    const snapshot = await requireCompleted(transaction, cluster, snapshotId, now)
    const folder = await exportFolder(transaction, cluster, await scheduleOf(transaction, cluster))
    const what = { cluster, snapshot, exportBucketId, customData, folder }
    return exportSnapshot(transaction, world, { ...what, createdAt: now, awaits: false })
  })
  return resource(shownExportJob(job, now), 'getExportJob', { ...path, exportId: job.id })
})
