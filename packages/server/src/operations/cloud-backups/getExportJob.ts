import { exportJobNotFound } from '../../domain/backups/not-found.ts'
import { exportJobs } from '../../persistence/export-jobs.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('getExportJob', async (input) => {
  const { world, path, now } = input
  const { groupId, clusterName, exportId } = path
  await backedUpCluster(input)
  const document = await exportJobs.get(world.database, { groupId, clusterName }, exportId, now)
  if (!document) throw exportJobNotFound(exportId)
  return resource(document, 'getExportJob', path)
})
