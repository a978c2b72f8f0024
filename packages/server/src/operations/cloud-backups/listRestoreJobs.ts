import { restoreJobs } from '../../persistence/restore-jobs.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('listRestoreJobs', async (input) => {
  const { world, path, paging, now } = input
  await backedUpCluster(input)
  return paged(paging, itemsAt('getRestoreJob', path, 'restoreJobId'), {
    page: (limit, offset) => restoreJobs.page(world.database, path, { limit, offset }, now),
    count: () => restoreJobs.count(world.database, path),
  })
})
