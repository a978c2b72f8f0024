import { limits } from '@svc-admin/types'
import { type Check, ownResourceRule, type Rule, type RuleOptions, timed } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import type { JsonObject } from '../document/json.ts'
import { type ClusterKind, clusterKinds, kinds, labelFor } from '../given/clusters.ts'
import type { Exchange } from '../http/exchange.ts'
import { expectAt, expectRefused } from '../model/expect.ts'
import { days, demoRow, idIn, pass, prepared, readAt, sendInAnyVersion, timestamp } from './backups.ts'
import { type OwnCluster, type OwnProject, ownCluster, unusedId } from './own-resources.ts'
import { refused, type SuccessfulResponse, secondsIn, successfulResponse } from './successful-response.ts'

/** A new snapshot, and the cluster that it belongs to. */
export interface OwnSnapshot extends OwnCluster {
  readonly snapshotId: string
  readonly pointInTime: number
}

/**
 * Returns a recent time, in seconds since the UNIX epoch. Continuous backup may not cover a time before the snapshots of
 * the checks, which were completed an hour ago, or a time long ago.
 */
export const recentTime = async ({ context }: Trial): Promise<number> =>
  Math.floor((await context.prerequisites.now()) / 1000) - 1800

/** Maps each kind of snapshot to its collection in a seed and its operations. */
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

export const operationsOf = (kind: SnapshotKind) => snapshotKinds[kind]

type ClusterCheck = (trial: Trial, kind: ClusterKind) => Promise<void>

const ofClusters =
  (create: (check: Check, options: RuleOptions) => Rule) =>
  (check: ClusterCheck, { label = '', ...options }: RuleOptions = {}): readonly Rule[] =>
    clusterKinds.map((kind) =>
      create((trial) => check(trial, kind), { ...options, label: labelFor(kind, label) }),
    )

/** Creates a rule with its own resources for each kind of cluster. */
export const ofEachCluster = ofClusters(ownResourceRule)

/** Creates a timed rule for each kind of cluster. */
export const timedOfEachCluster = ofClusters(timed)

/** Creates a rule with its own resources for each value and each kind of cluster. */
export const ofEachClusterWith = <T>(
  values: readonly T[],
  label: (value: T) => string,
  check: (trial: Trial, value: T, kind: ClusterKind) => Promise<void>,
): readonly Rule[] =>
  values.flatMap((value) =>
    ofEachCluster((trial, kind) => check(trial, value, kind), { label: label(value) }),
  )

const scheduleFields = ['frequencyType', 'policyItems', 'copyRegions', 'description'] as const

/** Returns the seed of a snapshot that was completed an hour ago and won't expire during the run. */
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

/** Seeds a snapshot with the given changes to `snapshotRow`. */
export const seedSnapshot = async (
  trial: Trial,
  place: OwnCluster,
  kind: SnapshotKind,
  differs: JsonObject = {},
): Promise<OwnSnapshot> => {
  const id = unusedId()
  const row = { ...(await snapshotRow(trial, place, kind)), ...differs, id }
  await trial.context.prerequisites.seed({ [snapshotKinds[kind].collection]: [row] })
  const pointInTime = await recentTime(trial)
  return { ...place, snapshotId: id, pointInTime, parameters: { ...place.parameters, snapshotId: id } }
}

/** Seeds a snapshot in a new cluster. */
export const ownSnapshot = async (
  trial: Trial,
  kind: SnapshotKind = 'replicaSet',
  differs: JsonObject = {},
  within?: OwnProject,
): Promise<OwnSnapshot> =>
  seedSnapshot(trial, await ownCluster(trial.context, kinds[kind], within), kind, differs)

/** A valid body for an on-demand snapshot. It's our decision that clients can omit the retention period. */
export const snapshotRequest = { retentionInDays: limits.onDemandRetention.default }

/** Takes an on-demand snapshot, so that a check can read it. */
export const takeSnapshot = async (trial: Trial, place: OwnCluster): Promise<OwnSnapshot> => {
  const taken = prepared(
    await sendInAnyVersion(trial, place, 'takeSnapshot', { body: snapshotRequest }),
    'a snapshot on demand',
  )
  const snapshotId = idIn(taken)
  const pointInTime = await recentTime(trial)
  return { ...place, snapshotId, pointInTime, parameters: { ...place.parameters, snapshotId } }
}

export const readSnapshot = (
  trial: Trial,
  place: OwnSnapshot,
  kind: SnapshotKind = 'replicaSet',
): Promise<SuccessfulResponse> => readAt(trial, place, snapshotKinds[kind].found)

/**
 * Returns the response to a request for a snapshot of a cluster. The specification doesn't say that this API takes
 * snapshots of sharded clusters, or changes their retention.
 *
 * @throws Untestable if the target doesn't support this for sharded clusters.
 */
export const supported = (
  exchange: Exchange,
  kind: ClusterKind,
  what = 'an on-demand snapshot',
): SuccessfulResponse => {
  if (kind === 'shardedCluster') prepared(exchange, `${what} of a sharded cluster`)
  return successfulResponse(exchange)
}

/** Advances the clock until an on-demand snapshot is completed. */
export const passUntilCompleted = (trial: Trial): Promise<void> =>
  pass(trial, secondsIn('snapshot', 'queued', 'inProgress'))

/**
 * Expects a rejection because of one field. A target that doesn't support this operation for sharded clusters may
 * reject the request for that reason.
 */
export const rejectedAt = (exchange: Exchange, kind: ClusterKind, pointer: string, why: string): void => {
  if (kind === 'shardedCluster') {
    expectRefused(exchange, why)
  } else {
    refused(exchange, why)
    expectAt(exchange, [pointer])
  }
}
