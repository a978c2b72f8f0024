import { activePolicy } from '../../backups/protection.ts'
import { putSchedule, scheduleOf, shownSchedule } from '../../backups/schedules.ts'
import { problem } from '../../domain/problem.ts'
import { clusters } from '../../persistence/clusters.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

/** Deletes all policy items. The schedule's other settings and the cluster's snapshots remain unchanged. */
export default operation('deleteBackupSchedules', async (input) => {
  const { world, path, now } = input
  const cluster = await backedUpCluster(input)
  const emptied = await world.database.transaction(async (transaction) => {
    await clusters.lock(transaction, cluster.groupId, cluster.name)
    const policy = await activePolicy(transaction, cluster.groupId, now)
    if (policy?.scheduledPolicyItems && policy.scheduledPolicyItems.length > 0) {
      throw problem('COMPLIANCE_POLICY_ACTIVE', {
        detail: 'The backup compliance policy requires a backup schedule.',
      })
    }
    const after = { ...(await scheduleOf(transaction, cluster)), policies: [] }
    await putSchedule(transaction, cluster, after, now)
    return after
  })
  return resource(shownSchedule(emptied, now), 'getBackupSchedule', path)
})
