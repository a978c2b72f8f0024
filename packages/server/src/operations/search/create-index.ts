import { problem } from '../../domain/problem.ts'
import { defaultType, type IndexDefinition } from '../../domain/search/index-definition.ts'
import type { Namespace, OnCluster } from '../../domain/search/index-key.ts'
import { deleting, indexAt, initialIndex } from '../../domain/search/index-state.ts'
import { Stored } from '../../domain/stored.ts'
import { DuplicateError } from '../../persistence/database.ts'
import { type SearchIndex, searchIndexes } from '../../persistence/search-indexes.ts'
import type { World } from '../../world/world.ts'

/** A requested index. The request can be in the legacy or the current format. */
export interface NewIndex extends Namespace {
  readonly name: string
  readonly type?: string | undefined
  readonly definition: IndexDefinition
}

/**
 * Stores a new index.
 *
 * @throws {Problem} `DUPLICATE_NAME` if the namespace already has an index with this name.
 */
export async function createIndex(
  world: World,
  { groupId, clusterName }: OnCluster,
  { database, collectionName, name, type = defaultType, definition }: NewIndex,
  now: number,
): Promise<SearchIndex> {
  const index: SearchIndex = {
    id: world.ids.next(now),
    groupId,
    clusterName,
    database,
    collectionName,
    name,
    type,
    state: initialIndex,
    since: now,
    built: false,
    failure: '',
    definition: Stored.of(definition),
    version: 1,
    definedAt: now,
    createdAt: now,
  }
  try {
    await world.database.transaction(async (transaction) => {
      // A name remains in use until its index is completely deleted.
      // After an index is completely deleted, its row remains in the database, so remove that row here.
      for (const one of await searchIndexes.inState(transaction, index, deleting))
        if (!indexAt(one, now)) await searchIndexes.remove(transaction, one)
      await searchIndexes.insert(transaction, index)
    })
    return index
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error
    throw problem('DUPLICATE_NAME', {
      detail: `The name ${name} is already used in the namespace ${database}.${collectionName}.`,
      parameters: ['/name'],
    })
  }
}
