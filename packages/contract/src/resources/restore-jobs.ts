import type { Trial } from '../check/trial.ts'
import { inspect, type Json, type JsonObject, stringAt } from '../document/json.ts'
import { type ClusterKind, kinds } from '../given/clusters.ts'
import { expectContinuousBackup } from '../given/snapshot-kinds.ts'
import type { Exchange } from '../http/exchange.ts'
import { expectThat } from '../model/expect.ts'
import { childPath, demoRow, idIn, pass, prepared, readAt, sendInAnyVersion } from './backups.ts'
import { type OwnCluster, ownCluster, type ResourcePath, unusedId } from './own-resources.ts'
import { type OwnSnapshot, ownSnapshot, recentTime, type SnapshotKind } from './snapshots.ts'
import { fieldOf, type SuccessfulResponse, secondsIn } from './successful-response.ts'

export const deliveryTypes = ['automated', 'download', 'pointInTime'] as const
export type DeliveryType = (typeof deliveryTypes)[number]

/** The fields that specify the time of a point-in-time restore. */
export const timestampFields = ['/pointInTimeUTCSeconds', '/oplogTs', '/oplogInc'] as const

/** A snapshot, and the cluster that it can be restored to. */
export interface Restorable extends ResourcePath {
  readonly snapshotId: string
  /** A time that can be restored, in seconds since the UNIX epoch. */
  readonly pointInTime: number
  readonly clusterName: string
  readonly groupId: string
}

/**
 * Returns a snapshot for restores that must fail. Apart from the error under test, the request must be valid.
 * Otherwise, the server could reject the request for another reason. If seeding isn't possible, the snapshot comes from
 * a valid call to the operation.
 *
 * @throws Untestable if the target file names no snapshot, or if its cluster doesn't
 * support this kind of restore.
 */
export const restorable = async (
  trial: Trial,
  deliveryType: DeliveryType,
  kind: SnapshotKind = 'replicaSet',
): Promise<Restorable> => {
  if (trial.context.prerequisites.canSeed || kind === 'shardedCluster') return ownSnapshot(trial, kind)
  const { parameters, body } = await trial.good()
  // The schedule of an instance can't be read, so the kit can't know whether it has continuous backup.
  if (deliveryType === 'pointInTime' && kind === 'replicaSet')
    await expectContinuousBackup(trial.context, {
      groupId: parameters.groupId ?? '',
      clusterName: parameters.clusterName ?? '',
    })
  const snapshotId = stringAt(body, 'snapshotId') ?? ''
  const clusterName = stringAt(body, 'targetClusterName') ?? ''
  const { groupId = '' } = parameters
  const pointInTime = await recentTime(trial)
  return { parameters, as: 'any allowed caller', snapshotId, pointInTime, clusterName, groupId }
}

/** Returns the body that restores a snapshot to its own cluster. */
export const restoreOf = (
  { snapshotId, pointInTime, clusterName, groupId }: Restorable,
  deliveryType: DeliveryType,
): JsonObject => {
  const target = { targetClusterName: clusterName, targetGroupId: groupId }
  if (deliveryType === 'automated') return { deliveryType, snapshotId, ...target }
  return deliveryType === 'download'
    ? { deliveryType, snapshotId }
    : { deliveryType, pointInTimeUTCSeconds: pointInTime, ...target }
}

/** Returns the body that restores an instance's snapshot to the instance. Every delivery type requires a target. */
export const restoreTo = (place: Restorable, deliveryType: DeliveryType): JsonObject => ({
  ...restoreOf(place, deliveryType),
  targetClusterName: place.clusterName,
  targetGroupId: place.groupId,
})

interface OwnRestoreJob extends OwnSnapshot {
  readonly restoreJobId: string
}

/** Creates a restore job in a new cluster, in the version under test. */
export const ownRestoreJob = async (
  trial: Trial,
  deliveryType: DeliveryType = 'automated',
  kind: ClusterKind = 'replicaSet',
): Promise<OwnRestoreJob> => {
  const place = await ownSnapshot(trial, kind)
  const body = restoreOf(place, deliveryType)
  const restoreJobId = idIn(
    prepared(await sendInAnyVersion(trial, place, 'createRestoreJob', { body }), 'a restore job'),
  )
  return { ...childPath(place, { restoreJobId }), restoreJobId }
}

/** Seeds a restore job in a new cluster. `null` removes a field. */
export const seedRestoreJob = async (
  { context }: Trial,
  differs: JsonObject,
  kind: ClusterKind = 'replicaSet',
): Promise<OwnCluster> => {
  const place = await ownCluster(context, kinds[kind])
  const id = unusedId()
  const where = { groupId: place.groupId, clusterName: place.clusterName }
  const fields = Object.entries({ ...demoRow('restoreJobs'), ...differs, ...where, id })
  const row = Object.fromEntries(fields.filter(([, value]) => value !== null))
  await context.prerequisites.seed({ restoreJobs: [row] })
  return childPath(place, { restoreJobId: id })
}

export const readRestoreJob = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getRestoreJob')

/** Advances the clock until the restore is finished. */
export const passUntilFinished = (trial: Trial): Promise<void> =>
  pass(trial, secondsIn('restore-job', 'running'))

/** Expects each of the job's flags to be false, unless `differs` sets it to true. */
export const expectFlags = (
  { body, exchange }: { readonly body: Json; readonly exchange: Exchange },
  differs: Readonly<Partial<Record<'cancelled' | 'expired' | 'failed', boolean>>> = {},
): void => {
  for (const [name, expected] of Object.entries({
    cancelled: false,
    expired: false,
    failed: false,
    ...differs,
  }))
    expectThat(fieldOf(body, name) === expected, {
      expected: `${name} ${expected}`,
      actual: `${name} ${inspect(fieldOf(body, name))}`,
      exchange,
    })
}
