import { exportBuckets } from '../../persistence/export-buckets.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'

export default operation('listExportBuckets', async ({ world, path, paging }) => {
  const { groupId } = path
  return paged(paging, itemsAt('getExportBucket', { groupId }, 'exportBucketId'), {
    page: (limit, offset) => exportBuckets.page(world.database, groupId, limit, offset),
    text: (limit, offset, link) => exportBuckets.pageText(world.database, groupId, limit, offset, link),
    count: () => exportBuckets.count(world.database, groupId),
  })
})
