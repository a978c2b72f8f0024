import type { IndexKey, Namespace } from '../../domain/search/index-key.ts'

export function namespaceOf(path: { databaseName: string; collectionName: string }): Namespace {
  return { database: path.databaseName, collectionName: path.collectionName }
}

/** Returns the index key in a path, which contains the index's name or ID. */
export function keyOf(
  path: { indexId: string } | { databaseName: string; collectionName: string; indexName: string },
): IndexKey {
  return 'indexId' in path ? { id: path.indexId } : { ...namespaceOf(path), name: path.indexName }
}
