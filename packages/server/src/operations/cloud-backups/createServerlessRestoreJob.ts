import { requireTarget, startRestore } from '../../backups/start-restore.ts'
import { shownRestoreJob } from '../../domain/backups/restore-job.ts'
import { checkRestoreRequest } from '../../domain/backups/restore-request.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpInstance } from './backed-up-cluster.ts'

export default operation('createServerlessRestoreJob', async (input) => {
  const { world, principal, path, body, now } = input
  const caller = { grants: principal.grants, operationId: 'createServerlessRestoreJob' } as const
  checkRestoreRequest(body)
  const instance = await backedUpInstance(input)
  await requireTarget(world, caller, instance, body)
  const job = await startRestore(world, instance, body, now)
  return resource(shownRestoreJob(job, now), 'getServerlessRestoreJob', { ...path, restoreJobId: job.id })
})
