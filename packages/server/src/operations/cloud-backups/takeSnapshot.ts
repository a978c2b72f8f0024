import { limits } from '@svc-admin/types'
import { activePolicy } from '../../backups/protection.ts'
import { scheduleOf } from '../../backups/schedules.ts'
import { copyRegionsOf, takeSnapshot } from '../../backups/take-snapshot.ts'
import { itemsFor, requiredUntil, requireRetainedUntil } from '../../domain/backups/compliance.ts'
import { expiryAfter } from '../../domain/backups/retention.ts'
import { problem } from '../../domain/problem.ts'
import { clusters } from '../../persistence/clusters.ts'
import { snapshots } from '../../persistence/snapshots.ts'
import { type OperationInput, operation } from '../operation.ts'
import { backedUpCluster } from './backed-up-cluster.ts'
import { snapshotResponse } from './snapshot-response.ts'

export default operation('takeSnapshot', async (input) => {
  const { world, path, body, now } = input
  const { groupId, clusterName } = path
  const cluster = await backedUpCluster(input)
  const snapshot = await world.database.transaction(async (transaction) => {
    await clusters.lock(transaction, groupId, clusterName)
    if (await snapshots.isOneOnDemandBeingTaken(transaction, { groupId, clusterName }, now)) {
      throw problem('SNAPSHOT_IN_PROGRESS')
    }
    const policy = await activePolicy(transaction, groupId, now)
    const asked = policy ? requiredUntil(itemsFor(policy), now) : now
    const expiresAt = expiryOf(body, now, asked)
    requireRetainedUntil(asked, expiresAt, '/retentionInDays')
    return takeSnapshot(transaction, world, cluster, {
      at: now,
      expiresAt,
      description: body.description,
      items: [],
      copyRegions: copyRegionsOf(await scheduleOf(transaction, cluster)),
    })
  })
  return snapshotResponse(snapshot, now)
})

/**
 * Returns the expiry for the requested or default retention. If the request specifies no retention, the snapshot is
 * retained at least as long as the compliance policy requires.
 */
function expiryOf(body: OperationInput<'takeSnapshot'>['body'], now: number, asked: number): number {
  // The generated type requires fields that have a default, although requests can omit them.
  const sent: number | undefined = body.retentionInDays
  const inDays = (retentionValue: number) => expiryAfter(now, { retentionUnit: 'days', retentionValue })
  return sent === undefined ? Math.max(inDays(limits.onDemandRetention.default), asked) : inDays(sent)
}
