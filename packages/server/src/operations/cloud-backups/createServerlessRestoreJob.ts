import { requireTarget, startRestore } from '../../backups/start-restore.ts'
import { checkRestoreRequest } from '../../domain/backups/restore-request.ts'
import { resource } from '../answer.ts'
import { operation } from '../operation.ts'
import { backedUpInstance } from './backed-up-cluster.ts'

export default operation('createServerlessRestoreJob', async (input) => {
  const { path, body } = input
  checkRestoreRequest(body)
  const instance = await backedUpInstance(input)
  await requireTarget(input, 'createServerlessRestoreJob', instance, body)
  const job = await startRestore(input, instance, body)
  return resource(job.document, 'getServerlessRestoreJob', { ...path, restoreJobId: job.id })
})
