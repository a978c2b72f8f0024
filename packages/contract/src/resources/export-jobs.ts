import type { Trial } from '../check/trial.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { ClusterKind } from '../given/clusters.ts'
import { childPath, idIn, prepared, readAt, seedBucket, sendInAnyVersion } from './backups.ts'
import { type OwnCluster, ownProject, type ResourcePath } from './own-resources.ts'
import { ownSnapshot } from './snapshots.ts'
import type { SuccessfulResponse } from './successful-response.ts'

/**
 * Seeds a completed snapshot in a new cluster, and a bucket. Returns the snapshot, the bucket, and the body that
 * exports the snapshot to the bucket.
 */
export const ownExport = async (trial: Trial, kind: ClusterKind = 'replicaSet', differs: JsonObject = {}) => {
  const within = await ownProject(trial.context)
  const exportBucketId = await seedBucket(trial, within)
  const place = await ownSnapshot(trial, kind, differs, within)
  return { place, body: { exportBucketId, snapshotId: place.snapshotId } }
}

/**
 * Returns a snapshot and a bucket for exports that must fail. If seeding isn't possible, the snapshot and the
 * bucket come from a valid call to the operation.
 *
 * @throws Untestable if the target file doesn't name the snapshot and the bucket.
 */
export const exportable = async (
  trial: Trial,
  kind: ClusterKind = 'replicaSet',
): Promise<{ readonly place: ResourcePath; readonly body: Json }> => {
  if (trial.context.prerequisites.canSeed || kind === 'shardedCluster') return ownExport(trial, kind)
  const { parameters, body = null } = await trial.good()
  return { place: { parameters, as: 'any allowed caller' }, body }
}

/** Creates an export job in the version under test, and returns its path. */
export const ownExportJob = async (
  trial: Trial,
  kind: ClusterKind = 'replicaSet',
): Promise<OwnCluster & { readonly exportId: string }> => {
  const { place, body } = await ownExport(trial, kind)
  const exportId = idIn(
    prepared(await sendInAnyVersion(trial, place, 'createExportJob', { body }), 'an export job'),
  )
  return { ...childPath(place, { exportId }), exportId }
}

export const readExportJob = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getExportJob')
