import { restoreJobs } from '../../persistence/restore-jobs.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'
import { backedUpInstance } from './backed-up-cluster.ts'

export default operation('listServerlessRestoreJobs', async (input) => {
  const { world, path, paging, now } = input
  await backedUpInstance(input)
  return paged(paging, itemsAt('getServerlessRestoreJob', path, 'restoreJobId'), {
    page: (limit, offset) => restoreJobs.page(world.database, path, { limit, offset }, now),
    count: () => restoreJobs.count(world.database, path),
  })
})
