import { requireUniqueNames } from '../../domain/search/analyzer-names.ts'
import { requirePresent } from '../../domain/search/present-index.ts'
import { operation } from '../operation.ts'
import { createIndex } from './create-index.ts'
import { indexResponse } from './index-response.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('createSearchIndex', async ({ world, path, body, now }) => {
  await requireSearch(world.database, path)
  requireUniqueNames(body.definition.analyzers, '/definition/analyzers')
  const made = await createIndex(world, path, body, now)
  const { index, current: seen } = requirePresent(made, made, now)
  return indexResponse(world.database, index, seen)
})
