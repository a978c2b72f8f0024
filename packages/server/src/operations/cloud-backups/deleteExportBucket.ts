import { settleExpiry } from '../../backups/expiry.ts'
import { failExportsTo } from '../../backups/fail-jobs.ts'
import { exportBucketNotFound } from '../../domain/backups/not-found.ts'
import { problem } from '../../domain/problem.ts'
import { backupSchedules } from '../../persistence/backup-schedules.ts'
import { exportBuckets } from '../../persistence/export-buckets.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'

export default operation('deleteExportBucket', async ({ world, path, now }) => {
  const { groupId, exportBucketId } = path
  // Remove expired snapshots first, because their exports must fail with a different error.
  await settleExpiry(world, groupId, now)
  return world.database.transaction(async (transaction) => {
    if (!(await exportBuckets.lock(transaction, groupId, exportBucketId))) {
      throw exportBucketNotFound(exportBucketId)
    }
    const clusterName = await backupSchedules.exportingTo(transaction, groupId, exportBucketId)
    if (clusterName !== undefined) {
      const detail = `The cluster ${clusterName} automatically exports snapshots to the bucket. Disable this export first.`
      throw problem('EXPORT_BUCKET_IN_USE', { detail })
    }
    await exportBuckets.remove(transaction, groupId, exportBucketId)
    await failExportsTo(transaction, groupId, exportBucketId, now)
    return empty
  })
})
