import { searchAnalyzers } from '../../persistence/search-analyzers.ts'
import { operation } from '../operation.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('listSearchAnalyzers', async ({ world, path }) => {
  await requireSearch(world.database, path)
  return { kind: 'array', values: await searchAnalyzers.get(world.database, path) }
})
