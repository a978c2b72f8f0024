import { problem } from '../../domain/problem.ts'
import { requireUniqueNames } from '../../domain/search/analyzer-names.ts'
import type { IndexDefinition } from '../../domain/search/index-definition.ts'
import type { IndexKey, OnCluster } from '../../domain/search/index-key.ts'
import { removed, updated } from '../../domain/search/index-state.ts'
import { requirePresent } from '../../domain/search/present-index.ts'
import { Stored } from '../../domain/stored.ts'
import { searchIndexes } from '../../persistence/search-indexes.ts'
import type { World } from '../../world/world.ts'
import { requireCluster } from '../require-cluster.ts'
import { empty } from '../response.ts'
import { indexResponse } from './index-response.ts'
import { requireSearchOf } from './search-cluster.ts'

/** Changes an index's definition. Queries use the previous definition until the new one is built. */
export async function updateIndex(
  world: World,
  on: OnCluster,
  key: IndexKey,
  definition: IndexDefinition,
  now: number,
) {
  const cluster = await requireCluster(world.database, on.groupId, on.clusterName)
  return world.database.transaction(async (transaction) => {
    const found = await searchIndexes.find(transaction, on, key)
    const { index, current: seen } = requirePresent(found, key, now)
    requireSearchOf(cluster)
    requireUniqueNames(definition.analyzers, '/definition/analyzers')
    const state = updated(seen, now)
    if (!state) throw problem('INVALID_STATE', { detail: 'The Search index is being deleted.' })
    const latest = { definition: Stored.of(definition), version: index.version + 1, definedAt: now }
    const after = { ...index, ...state, ...latest, failure: '' }
    await searchIndexes.update(transaction, after)
    return indexResponse(transaction, after, requirePresent(after, key, now).current)
  })
}

/** Starts the deletion of an index. If the index is already being deleted, this function has no effect. */
export async function removeIndex(world: World, on: OnCluster, key: IndexKey, now: number) {
  const cluster = await requireCluster(world.database, on.groupId, on.clusterName)
  return world.database.transaction(async (transaction) => {
    const found = await searchIndexes.find(transaction, on, key)
    const { index, current: seen } = requirePresent(found, key, now)
    requireSearchOf(cluster)
    const state = removed(seen, now)
    if (state) await searchIndexes.update(transaction, { ...index, ...state })
    return empty
  })
}
