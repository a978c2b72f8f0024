import type { JsonObject } from '../document/json.ts'
import type { Trial } from '../engine/trial.ts'
import { days, demoRow, idIn, pass, prepared, readAt, sendInAnyVersion, timestamp } from './backups.ts'
import { kinds } from './clusters.ts'
import { type OwnCluster, type OwnProject, ownCluster, unusedId } from './own-resources.ts'
import { type SuccessfulResponse, secondsIn } from './successful-response.ts'

/** A snapshot that nothing else uses, in its cluster. */
export interface OwnSnapshot extends OwnCluster {
  readonly snapshotId: string
}

/** Where snapshots of each kind of cluster come from in a seed, and which operations find them. */
const snapshotKinds = {
  replicaSet: {
    collection: 'snapshots',
    namedBy: 'clusterName',
    found: 'getSnapshot',
    listed: 'listSnapshots',
  },
  shardedCluster: {
    collection: 'shardedClusterSnapshots',
    namedBy: 'clusterName',
    found: 'getShardedClusterSnapshot',
    listed: 'listShardedClusterSnapshots',
  },
  serverless: {
    collection: 'serverlessSnapshots',
    namedBy: 'serverlessInstanceName',
    found: 'getServerlessSnapshot',
    listed: 'listServerlessSnapshots',
  },
} as const

export type SnapshotKind = keyof typeof snapshotKinds

/** The operations that find and list the snapshots of a kind. */
export const operationsOf = (kind: SnapshotKind) => snapshotKinds[kind]

const scheduleFields = ['frequencyType', 'policyItems', 'copyRegions', 'description'] as const

/** A snapshot that was completed an hour ago and is kept for long, as a seed has it. */
export const snapshotRow = async (
  { context }: Trial,
  { groupId, clusterName }: OwnCluster,
  kind: SnapshotKind,
): Promise<JsonObject> => {
  const { collection, namedBy } = snapshotKinds[kind]
  const now = await context.prerequisites.now()
  const like = Object.fromEntries(
    Object.entries(demoRow(collection)).filter(([name]) => !scheduleFields.some((one) => one === name)),
  )
  return {
    ...like,
    snapshotType: 'onDemand',
    createdAt: timestamp(now - days(1) / 24),
    expiresAt: timestamp(now + days(3650)),
    groupId,
    [namedBy]: clusterName,
  }
}

/** Puts such a snapshot in place, unless it is to differ. */
export const seedSnapshot = async (
  trial: Trial,
  place: OwnCluster,
  kind: SnapshotKind,
  differs: JsonObject = {},
): Promise<OwnSnapshot> => {
  const id = unusedId()
  const row = { ...(await snapshotRow(trial, place, kind)), ...differs, id }
  await trial.context.prerequisites.seed({ [snapshotKinds[kind].collection]: [row] })
  return { ...place, snapshotId: id, parameters: { ...place.parameters, snapshotId: id } }
}

/** A snapshot in a cluster of its own. */
export const ownSnapshot = async (
  trial: Trial,
  kind: SnapshotKind = 'replicaSet',
  differs: JsonObject = {},
  within?: OwnProject,
): Promise<OwnSnapshot> =>
  seedSnapshot(trial, await ownCluster(trial.context, kinds[kind], within), kind, differs)

/** Takes a snapshot on demand; the check looks at what becomes of it. */
export const takeSnapshot = async (trial: Trial, place: OwnCluster): Promise<OwnSnapshot> => {
  const taken = prepared(
    await sendInAnyVersion(trial, place, 'takeSnapshot', { body: {} }),
    'a snapshot on demand',
  )
  const snapshotId = idIn(taken)
  return { ...place, snapshotId, parameters: { ...place.parameters, snapshotId } }
}

/** The snapshot of a replica set as it is now. */
export const readSnapshot = (trial: Trial, place: OwnSnapshot): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getSnapshot')

/** Time enough for a snapshot on demand to be completed. */
export const passUntilCompleted = (trial: Trial): Promise<void> =>
  pass(trial, secondsIn('snapshot', 'queued', 'inProgress'))
