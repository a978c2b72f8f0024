import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { queuedSnapshot, type SnapshotPurpose, sizeOf } from '../domain/backups/snapshot.ts'
import { Stored } from '../domain/stored.ts'
import { objectsIn, textIn } from '../domain/typed-fields.ts'
import type { Cluster } from '../persistence/clusters.ts'
import type { Session } from '../persistence/database.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'
import type { World } from '../world/world.ts'

type Purpose = Omit<SnapshotPurpose, 'id'>

/** Starts a snapshot of a cluster. The server calculates the snapshot's progress from the clock. */
export async function takeSnapshot(
  session: Session,
  world: World,
  cluster: Cluster,
  purpose: Purpose,
): Promise<Snapshot> {
  const snapshot = newSnapshot(world, cluster, purpose)
  await snapshots.put(session, snapshot)
  return snapshot
}

/** Creates a snapshot without storing it. */
export function newSnapshot(world: World, cluster: Cluster, purpose: Purpose): Snapshot {
  const { at, expiresAt, items } = purpose
  const id = world.ids.next(at)
  const { kind, document } = queuedSnapshot(cluster, { ...purpose, id }, () => world.ids.next(at))
  return {
    id,
    groupId: cluster.groupId,
    clusterName: cluster.name,
    kind,
    onDemand: items.length === 0,
    state: document.status,
    since: at,
    sizeBytes: sizeOf(id),
    createdAt: at,
    expiresAt,
    document: Stored.of(document),
  }
}

/**
 * Returns the regions for copies of a snapshot, based on the snapshot's frequency. The frequency of on-demand snapshots
 * is `ON_DEMAND`.
 */
export function copyRegionsOf({ copySettings }: ScheduleDocument, frequency = 'ON_DEMAND'): string[] {
  return objectsIn(copySettings)
    .filter(({ frequencies }) => Array.isArray(frequencies) && frequencies.includes(frequency.toUpperCase()))
    .flatMap(({ regionName }) => textIn(regionName) ?? [])
}
