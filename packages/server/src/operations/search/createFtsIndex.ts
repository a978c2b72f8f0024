import { requireUniqueNames } from '../../domain/search/analyzer-names.ts'
import { definitionOf } from '../../domain/search/index-definition.ts'
import { requirePresent } from '../../domain/search/present-index.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { createIndex } from './create-index.ts'
import { ftsDocument } from './index-document.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('createFtsIndex', async ({ world, path, body, now }) => {
  await requireSearch(world.database, path)
  requireUniqueNames(body.analyzers, '/analyzers')
  const index = await createIndex(world, path, { ...body, definition: definitionOf(body) }, now)
  const { current: seen } = requirePresent(index, index, now)
  return resource(ftsDocument(index, seen), 'getSearchIndex', { ...path, indexId: index.id })
})
