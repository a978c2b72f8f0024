import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { itemsAt } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

/** More fit in no answer: the operation has the shape of a page, but no parameters to ask for another. */
const limit = 1000

export default operation('listShardedClusterSnapshots', async (input) => {
  const { world, path, now } = input
  await backedUpCluster(input)
  const which = { ...path, kind: 'shardedCluster', now } as const
  const total = await snapshots.count(world.database, which)
  // Nobody could see the newest if the oldest were there: those are what is restored and waited for.
  const items = await snapshots.page(world.database, which, { limit, offset: Math.max(0, total - limit) })
  return {
    kind: 'page',
    items,
    itemLinks: itemsAt('getShardedClusterSnapshot', path, 'snapshotId'),
    total,
    hasNext: false,
  }
})
