import { searchIndexes } from '../../persistence/search-indexes.ts'
import { operation } from '../operation.ts'
import { indexListResponse } from './index-response.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('listSearchIndexes', async ({ world, path, now }) => {
  await requireSearch(world.database, path)
  const indexes = await searchIndexes.ofCluster(world.database, path)
  return indexListResponse(world.database, path, indexes, now)
})
