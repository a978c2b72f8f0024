import { requireTarget, startRestore } from '../../backups/start-restore.ts'
import { checkRestoreRequest } from '../../domain/backups/restore-request.ts'
import { resource } from '../answer.ts'
import { operation } from '../operation.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('createRestoreJob', async (input) => {
  const { path, body } = input
  checkRestoreRequest(body)
  const cluster = await backedUpCluster(input)
  if (body.deliveryType !== 'download') await requireTarget(input, 'createRestoreJob', cluster, body)
  const job = await startRestore(input, cluster, body)
  return resource(job.document, 'getRestoreJob', { ...path, restoreJobId: job.id })
})
