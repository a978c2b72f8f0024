import type { IndexKey, Namespace } from '../../domain/search/index-key.ts'

export function namespaceOf(path: { databaseName: string; collectionName: string }): Namespace {
  return { database: path.databaseName, collectionName: path.collectionName }
}

/** Returns the index key from a path that contains either the name or the ID of the index. */
export function keyOf(
  path: { indexId: string } | { databaseName: string; collectionName: string; indexName: string },
): IndexKey {
  return 'indexId' in path ? { id: path.indexId } : { ...namespaceOf(path), name: path.indexName }
}
