import type { IndexKey, Namespace } from '../../domain/search/index-key.ts'

/** The namespace in a path. */
export function namespaceOf(path: { databaseName: string; collectionName: string }): Namespace {
  return { database: path.databaseName, collectionName: path.collectionName }
}

/** The index key in a path: a name or an ID. */
export function keyOf(
  path: { indexId: string } | { databaseName: string; collectionName: string; indexName: string },
): IndexKey {
  return 'indexId' in path ? { id: path.indexId } : { ...namespaceOf(path), name: path.indexName }
}
