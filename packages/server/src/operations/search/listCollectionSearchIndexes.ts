import { searchIndexes } from '../../persistence/search-indexes.ts'
import { operation } from '../operation.ts'
import { namespaceOf } from './index-key.ts'
import { indexListResponse } from './index-response.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('listCollectionSearchIndexes', async ({ world, path, now }) => {
  await requireSearch(world.database, path)
  const indexes = await searchIndexes.ofCollection(world.database, path, namespaceOf(path))
  return indexListResponse(world.database, path, indexes, now)
})
