import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { itemsAt } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

/**
 * The maximum number of snapshots in a response. This operation has no paging parameters, so clients can't request
 * other pages.
 */
const limit = 1000

export default operation('listShardedClusterSnapshots', async (input) => {
  const { world, path, now } = input
  await backedUpCluster(input)
  const which = { ...path, kind: 'shardedCluster', now } as const
  const total = await snapshots.count(world.database, which)
  // Return the newest snapshots, because callers usually want to restore these snapshots or wait for them.
  const items = await snapshots.page(world.database, which, { limit, offset: Math.max(0, total - limit) })
  return {
    kind: 'page',
    items,
    itemLinks: itemsAt('getShardedClusterSnapshot', path, 'snapshotId'),
    total,
    hasNext: false,
  }
})
