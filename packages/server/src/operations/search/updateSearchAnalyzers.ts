import { requireUniqueNames } from '../../domain/search/analyzer-names.ts'
import { searchAnalyzers } from '../../persistence/search-analyzers.ts'
import { operation } from '../operation.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('updateSearchAnalyzers', async ({ world, path, body }) => {
  await requireSearch(world.database, path)
  requireUniqueNames(body, '')
  await searchAnalyzers.put(world.database, path, body)
  return { kind: 'array', values: body }
})
