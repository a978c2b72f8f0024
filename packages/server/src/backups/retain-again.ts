import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import {
  itemsFor,
  requiredUntil,
  requireFutureExpiry,
  requireRetainedUntil,
} from '../domain/backups/compliance.ts'
import { latestExpiry, matchingItemsIn } from '../domain/backups/due-snapshots.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Transaction } from '../persistence/database.ts'
import { snapshots } from '../persistence/snapshots.ts'
import { keepUntil } from './expiry.ts'
import { activePolicy } from './protection.ts'

/**
 * Applies a schedule's new retention to its existing snapshots.
 *
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if the policy doesn't allow the shorter retention.
 */
export async function retainAgain(
  transaction: Transaction,
  { groupId, name: clusterName }: Cluster,
  schedule: ScheduleDocument,
  now: number,
): Promise<void> {
  const policy = await activePolicy(transaction, groupId, now)
  const askersOf = matchingItemsIn(schedule)
  for (const snapshot of await snapshots.scheduled(transaction, { groupId, clusterName }, now)) {
    const document = snapshot.document.value()
    const { frequencyType } = document
    if (frequencyType === undefined) continue
    const policyItems = 'policyItems' in document ? (document.policyItems ?? []) : []
    const askers = askersOf({ createdAt: snapshot.createdAt, frequencyType, policyItems })
    if (askers.length === 0) continue
    const expiresAt = latestExpiry(askers, schedule, snapshot.createdAt)
    if (policy && expiresAt < snapshot.expiresAt) {
      requireFutureExpiry(expiresAt, now, '/updateSnapshots')
      const asked = requiredUntil(itemsFor(policy, frequencyType), snapshot.createdAt)
      requireRetainedUntil(asked, expiresAt, '/updateSnapshots')
    }
    if (expiresAt !== snapshot.expiresAt) await keepUntil(transaction, snapshot, expiresAt, now)
  }
}
