import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'
import { backedUpInstance } from './backed-up-cluster.ts'

export default operation('listServerlessSnapshots', async (input) => {
  const { world, path, paging, now } = input
  await backedUpInstance(input)
  const which = { ...path, kind: 'serverless', now } as const
  return paged(paging, itemsAt('getServerlessSnapshot', path, 'snapshotId'), {
    page: (limit, offset) => snapshots.page(world.database, which, { limit, offset }),
    count: () => snapshots.count(world.database, which),
  })
})
