import { requireUniqueNames } from '../../domain/search/analyzer-names.ts'
import { definitionOf } from '../../domain/search/index-definition.ts'
import { requirePresent } from '../../domain/search/present-index.ts'
import { resource } from '../answer.ts'
import { operation } from '../operation.ts'
import { ftsDocument } from './index-document.ts'
import { makeIndex } from './make-index.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('createFtsIndex', async ({ world, path, body, now }) => {
  await requireSearch(world.database, path)
  requireUniqueNames(body.analyzers, '/analyzers')
  const index = await makeIndex(world, path, { ...body, definition: definitionOf(body) }, now)
  const { seen } = requirePresent(index, index, now)
  return resource(ftsDocument(index, seen), 'getSearchIndex', { ...path, indexId: index.id })
})
