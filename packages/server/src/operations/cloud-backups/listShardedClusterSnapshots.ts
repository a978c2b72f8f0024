import { snapshots } from '../../persistence/snapshots.ts'
import { itemsAt } from '../answer.ts'
import { operation } from '../operation.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

/** The operation has the shape of a page, but no parameters to ask for another: all are on this one. */
export default operation('listShardedClusterSnapshots', async (input) => {
  const { world, path, now } = input
  await backedUpCluster(input)
  const which = { ...path, kind: 'shardedCluster', now } as const
  const items = await snapshots.page(world.database, which, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
  return {
    kind: 'page',
    items,
    itemLinks: itemsAt('getShardedClusterSnapshot', path, 'snapshotId'),
    total: items.length,
    hasNext: false,
  }
})
