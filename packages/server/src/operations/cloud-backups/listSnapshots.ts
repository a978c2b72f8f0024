import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('listSnapshots', async (input) => {
  const { world, path, paging, now } = input
  await backedUpCluster(input)
  const which = { ...path, kind: 'replicaSet', now } as const
  return paged(paging, itemsAt('getSnapshot', path, 'snapshotId'), {
    page: (limit, offset) => snapshots.page(world.database, which, { limit, offset }),
    count: () => snapshots.count(world.database, which),
  })
})
