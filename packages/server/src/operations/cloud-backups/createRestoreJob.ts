import { requireTarget, startRestore } from '../../backups/start-restore.ts'
import { shownRestoreJob } from '../../domain/backups/restore-job.ts'
import { checkRestoreRequest } from '../../domain/backups/restore-request.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('createRestoreJob', async (input) => {
  const { world, principal, path, body, now } = input
  const caller = { grants: principal.grants, operationId: 'createRestoreJob' } as const
  checkRestoreRequest(body)
  const cluster = await backedUpCluster(input)
  // Downloads don't need a target cluster, but if the request contains one, validate it.
  if (body.targetGroupId !== undefined) await requireTarget(world, caller, cluster, body)
  const job = await startRestore(world, cluster, body, now)
  return resource(shownRestoreJob(job, now), 'getRestoreJob', { ...path, restoreJobId: job.id })
})
