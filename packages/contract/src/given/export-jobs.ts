import type { JsonObject } from '../document/json.ts'
import type { Trial } from '../engine/trial.ts'
import type { Answered } from './answered.ts'
import { below, idIn, look, prepared, reach, seedBucket } from './backups.ts'
import { type OwnCluster, ownProject } from './own-places.ts'
import { ownSnapshot } from './snapshots.ts'

/** A completed snapshot in a cluster of its own, with a bucket, and the body that exports the one to the other. */
export const ownExport = async (
  trial: Trial,
  kind: 'replicaSet' | 'shardedCluster' = 'replicaSet',
  differs: JsonObject = {},
) => {
  const within = await ownProject(trial.world)
  const exportBucketId = await seedBucket(trial, within)
  const place = await ownSnapshot(trial, kind, differs, within)
  return { place, body: { exportBucketId, snapshotId: place.snapshotId } }
}

/** Begins an export, in the version of the cell; returns where the job is found. */
export const ownExportJob = async (
  trial: Trial,
  kind: 'replicaSet' | 'shardedCluster' = 'replicaSet',
): Promise<OwnCluster & { readonly exportId: string }> => {
  const { place, body } = await ownExport(trial, kind)
  const exportId = idIn(prepared(await reach(trial, place, 'createExportJob', { body }), 'an export job'))
  return { ...below(place, { exportId }), exportId }
}

/** An export job as it is now. */
export const readExportJob = (trial: Trial, place: OwnCluster): Promise<Answered> =>
  look(trial, place, 'getExportJob')
