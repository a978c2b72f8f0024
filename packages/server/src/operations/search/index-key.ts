import type { IndexKey, Namespace } from '../../domain/search/index-key.ts'

/** The collection that a path names. */
export function namespaceOf(path: { databaseName: string; collectionName: string }): Namespace {
  return { database: path.databaseName, collectionName: path.collectionName }
}

/** The index that a path names: by name, or by identifier. */
export function keyOf(
  path: { indexId: string } | { databaseName: string; collectionName: string; indexName: string },
): IndexKey {
  return 'indexId' in path ? { id: path.indexId } : { ...namespaceOf(path), name: path.indexName }
}
