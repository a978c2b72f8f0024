import { exportBucketNotFound } from '../../domain/backups/not-found.ts'
import { exportBuckets } from '../../persistence/export-buckets.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('getExportBucket', async ({ world, path }) => {
  const document = await exportBuckets.get(world.database, path.groupId, path.exportBucketId)
  if (!document) throw exportBucketNotFound(path.exportBucketId)
  return resource(document, 'getExportBucket', path)
})
