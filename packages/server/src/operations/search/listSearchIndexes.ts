import { searchIndexes } from '../../persistence/search-indexes.ts'
import { operation } from '../operation.ts'
import { indexListAnswer } from './index-answer.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('listSearchIndexes', async ({ world, path, now }) => {
  await requireSearch(world.database, path)
  const indexes = await searchIndexes.ofCluster(world.database, path)
  return indexListAnswer(world.database, path, indexes, now)
})
