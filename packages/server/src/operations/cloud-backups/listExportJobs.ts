import { exportJobs } from '../../persistence/export-jobs.ts'
import { operation } from '../operation.ts'
import { paged } from '../paged.ts'
import { itemsAt } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('listExportJobs', async (input) => {
  const { world, path, paging, now } = input
  await backedUpCluster(input)
  return paged(paging, itemsAt('getExportJob', path, 'exportId'), {
    page: (limit, offset) => exportJobs.page(world.database, path, { limit, offset }, now),
    count: () => exportJobs.count(world.database, path),
  })
})
