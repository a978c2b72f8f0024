import { states } from '@svc-admin/types'
import { dropSnapshot } from '../../backups/expiry.ts'
import { activePolicy } from '../../backups/protection.ts'
import type { SnapshotKind } from '../../domain/backups/backup-schemas.ts'
import { snapshotNotFound } from '../../domain/backups/not-found.ts'
import { snapshotStateAt } from '../../domain/backups/snapshot.ts'
import { problem } from '../../domain/problem.ts'
import { after } from '../../domain/state-machine.ts'
import { snapshots } from '../../persistence/snapshots.ts'
import type { AnyInput } from '../operation.ts'
import { type EmptyResponse, empty } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

interface Input extends Pick<AnyInput, 'world' | 'now'> {
  readonly path: { readonly groupId: string; readonly clusterName: string; readonly snapshotId: string }
}

/**
 * Removes a snapshot of the given kind. Snapshots that are in progress or protected by a compliance policy can't be
 * removed.
 */
export async function removeSnapshot(input: Input, kind: SnapshotKind): Promise<EmptyResponse> {
  const { world, now, path } = input
  const { groupId, clusterName, snapshotId } = path
  await backedUpCluster(input)
  await world.database.transaction(async (transaction) => {
    const snapshot = await snapshots.find(transaction, { groupId, clusterName }, snapshotId, now)
    if (snapshot?.kind !== kind) throw snapshotNotFound(snapshotId)
    if (await activePolicy(transaction, groupId, now)) {
      throw problem('COMPLIANCE_POLICY_ACTIVE', {
        detail: "The backup compliance policy doesn't allow snapshots to be deleted.",
      })
    }
    const state = snapshotStateAt(snapshot, now)
    if (after(states.snapshot, state, 'operation:deleteSnapshot') === undefined) {
      throw problem('INVALID_STATE', { detail: `The snapshot is still in progress. Its state is ${state}.` })
    }
    await dropSnapshot(transaction, snapshot, now)
  })
  return empty
}
