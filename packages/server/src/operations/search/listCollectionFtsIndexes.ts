import { present } from '../../domain/search/present-index.ts'
import { searchIndexes } from '../../persistence/search-indexes.ts'
import { operation } from '../operation.ts'
import { ftsDocument } from './index-document.ts'
import { namespaceOf } from './index-key.ts'
import { indexLinks } from './index-response.ts'
import { requireSearch } from './search-cluster.ts'

export default operation('listCollectionFtsIndexes', async ({ world, path, now }) => {
  await requireSearch(world.database, path)
  const indexes = await searchIndexes.ofCollection(world.database, path, namespaceOf(path))
  const items = present(indexes, now).map(({ index, current: seen }) => ({
    id: index.id,
    document: ftsDocument(index, seen),
  }))
  return { kind: 'list', items, itemLinks: indexLinks(path) }
})
