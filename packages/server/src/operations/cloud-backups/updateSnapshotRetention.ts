import { keepUntil } from '../../backups/expiry.ts'
import { activePolicy } from '../../backups/protection.ts'
import { scheduleOf } from '../../backups/schedules.ts'
import {
  itemsFor,
  requiredUntil,
  requireFutureExpiry,
  requireRetainedUntil,
} from '../../domain/backups/compliance.ts'
import { itemsOf } from '../../domain/backups/due-snapshots.ts'
import { snapshotNotFound } from '../../domain/backups/not-found.ts'
import { requireRetentionWithin } from '../../domain/backups/policy-rules.ts'
import { expiryAfter } from '../../domain/backups/retention.ts'
import { snapshots } from '../../persistence/snapshots.ts'
import { operation } from '../operation.ts'
import { backedUpCluster } from './backed-up-cluster.ts'
import { snapshotResponse } from './snapshot-response.ts'

export default operation('updateSnapshotRetention', async (input) => {
  const { world, path, body, now } = input
  const { groupId, clusterName, snapshotId } = path
  const cluster = await backedUpCluster(input)
  const snapshot = await world.database.transaction(async (transaction) => {
    const before = await snapshots.find(transaction, { groupId, clusterName }, snapshotId, now)
    if (!before) throw snapshotNotFound(snapshotId)
    const frequencyType = before.onDemand ? undefined : before.document.value().frequencyType
    if (frequencyType !== undefined) {
      const schedule = await scheduleOf(transaction, cluster)
      requireRetentionWithin(itemsOf(schedule), frequencyType, body)
    }
    const expiresAt = expiryAfter(before.createdAt, body)
    const policy = await activePolicy(transaction, groupId, now)
    if (policy) {
      const asked = requiredUntil(itemsFor(policy, frequencyType), before.createdAt)
      requireRetainedUntil(asked, expiresAt, '/retentionValue')
      requireFutureExpiry(expiresAt, now, '/retentionValue')
    }
    return keepUntil(transaction, before, expiresAt, now)
  })
  return snapshotResponse(snapshot, now)
})
