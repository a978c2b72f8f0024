import type { IndexKey, OnCluster } from '../../domain/search/index-key.ts'
import { requirePresent } from '../../domain/search/present-index.ts'
import { searchIndexes } from '../../persistence/search-indexes.ts'
import type { World } from '../../world/world.ts'
import { requireCluster } from '../require-cluster.ts'
import { indexResponse } from './index-response.ts'
import { requireSearchOf } from './search-cluster.ts'

/**
 * Returns the index with the given key.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the index doesn't exist.
 */
export async function findIndex(world: World, on: OnCluster, key: IndexKey, now: number) {
  const cluster = await requireCluster(world.database, on.groupId, on.clusterName)
  const { index, current: seen } = requirePresent(await searchIndexes.get(world.database, on, key), key, now)
  requireSearchOf(cluster)
  return indexResponse(world.database, index, seen)
}
