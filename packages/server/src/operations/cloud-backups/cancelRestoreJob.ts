import { restoreJobNotFound } from '../../domain/backups/not-found.ts'
import { stoppedRestoreJob } from '../../domain/backups/restore-job.ts'
import { restoreJobs } from '../../persistence/restore-jobs.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('cancelRestoreJob', async (input) => {
  const { world, path, now } = input
  const { groupId, clusterName, restoreJobId } = path
  await backedUpCluster(input)
  await world.database.transaction(async (transaction) => {
    const job = await restoreJobs.find(transaction, { groupId, clusterName }, restoreJobId)
    if (!job) throw restoreJobNotFound(restoreJobId)
    await restoreJobs.put(transaction, stoppedRestoreJob(job, 'operation:cancelRestoreJob', now))
  })
  return empty
})
