import { restoreJobNotFound } from '../../domain/backups/not-found.ts'
import { restoreJobs } from '../../persistence/restore-jobs.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('getRestoreJob', async (input) => {
  const { world, path, now } = input
  const { groupId, clusterName, restoreJobId } = path
  await backedUpCluster(input)
  const document = await restoreJobs.get(world.database, { groupId, clusterName }, restoreJobId, now)
  if (!document) throw restoreJobNotFound(restoreJobId)
  return resource(document, 'getRestoreJob', path)
})
