import type { CopySetting, ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { regionsNamed, withoutCopies } from '../domain/backups/copies.ts'
import { Stored } from '../domain/stored.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Transaction } from '../persistence/database.ts'
import { snapshots } from '../persistence/snapshots.ts'

/** Deletes existing snapshot copies in the regions that the given copy settings specify. */
export async function deleteCopies(
  transaction: Transaction,
  { groupId, name: clusterName }: Cluster,
  schedule: ScheduleDocument,
  named: readonly CopySetting[],
  now: number,
): Promise<void> {
  const regions = regionsNamed(named, schedule)
  if (regions.size === 0) return
  for (const snapshot of await snapshots.copyable(transaction, { groupId, clusterName }, now)) {
    const before = snapshot.document.value()
    const after = withoutCopies(before, regions)
    if (after !== before) await snapshots.put(transaction, { ...snapshot, document: Stored.of(after) })
  }
}
