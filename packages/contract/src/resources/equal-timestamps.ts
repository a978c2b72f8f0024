import type { OperationId } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { kinds } from '../given/clusters.ts'
import { NotApplicable } from '../model/signals.ts'
import { childPath, days, demoRow, seedBucket, timestamp, timestampAt } from './backups.ts'
import { type OwnCluster, ownCluster, ownProject, type ResourcePath, unusedId } from './own-resources.ts'
import { type SnapshotKind, seedSnapshot, snapshotRow } from './snapshots.ts'

// The API doesn't return exact creation times, but for seeded resources the kit knows them.

/** A list's path, and the resources to seed for it. */
interface ListSetup {
  readonly place: ResourcePath
  /** The seed collection. */
  readonly collection: string
  /** The field with the creation time. */
  readonly field: 'created' | 'createdAt'
  readonly like: JsonObject
}

type SetUp = (trial: Trial) => Promise<ListSetup>

const clusterPathOf = ({ groupId, clusterName }: OwnCluster) => ({ groupId, clusterName })

const configs: SetUp = async ({ context }) => {
  const place = await ownProject(context)
  const like = { ...demoRow('alertConfigs'), groupId: place.groupId }
  return { place, collection: 'alertConfigs', field: 'created', like }
}

/**
 * The alerts are open, because a configuration lists only open alerts. The configuration is disabled, so no
 * notifications are sent.
 */
const alerts: SetUp = async ({ context }) => {
  const place = await ownCluster(context, {}, await ownProject(context))
  const { orgId, groupId } = place
  const alertConfigId = unusedId()
  const config = { ...demoRow('alertConfigs'), id: alertConfigId, groupId, enabled: false }
  await context.prerequisites.seed({ alertConfigs: [config] })
  const like = { ...demoRow('alerts'), ...clusterPathOf(place), orgId, alertConfigId, status: 'OPEN' }
  return { place: childPath(place, { alertConfigId }), collection: 'alerts', field: 'created', like }
}

const snapshotsOf =
  (kind: SnapshotKind, collection: string): SetUp =>
  async (trial) => {
    const place = await ownCluster(trial.context, kinds[kind])
    return { place, collection, field: 'createdAt', like: await snapshotRow(trial, place, kind) }
  }

const exportJobs: SetUp = async (trial) => {
  const within = await ownProject(trial.context)
  const exportBucketId = await seedBucket(trial, within)
  const place = await seedSnapshot(trial, await ownCluster(trial.context, {}, within), 'replicaSet')
  const { snapshotId } = place
  const like = { ...demoRow('exportJobs'), ...clusterPathOf(place), snapshotId, exportBucketId }
  return { place, collection: 'exportJobs', field: 'createdAt', like }
}

const restoreJobsOf =
  (kind: SnapshotKind, collection: string): SetUp =>
  async (trial) => {
    const place = await seedSnapshot(trial, await ownCluster(trial.context, kinds[kind]), kind)
    const { snapshotId, clusterName, groupId } = place
    const target = { targetClusterName: clusterName, targetGroupId: groupId }
    const like = { ...demoRow(collection), ...clusterPathOf(place), ...target, snapshotId }
    return { place, collection, field: 'createdAt', like }
  }

/** In other paged lists, the creation time can't be seeded. */
const grounds: Readonly<Partial<Record<OperationId, SetUp>>> = {
  listAlertConfigs: configs,
  listAlerts: alerts,
  listAlertsByAlertConfig: alerts,
  listExportJobs: exportJobs,
  listRestoreJobs: restoreJobsOf('replicaSet', 'restoreJobs'),
  listServerlessRestoreJobs: restoreJobsOf('serverless', 'serverlessRestoreJobs'),
  listServerlessSnapshots: snapshotsOf('serverless', 'serverlessSnapshots'),
  listSnapshots: snapshotsOf('replicaSet', 'snapshots'),
}

/** Whether a list can be seeded with resources that were created at the same time. */
export const mayHaveEqualTimestamps = (operation: OperationId): boolean => grounds[operation] !== undefined

/**
 * The order is neither ascending nor descending. Otherwise, sorting by arrival or by reverse arrival would give the
 * same result as sorting by ID.
 */
const arrivals = [2, 4, 0, 3, 1] as const

interface EqualTimestamps {
  readonly place: ResourcePath
  /** Creation times by ID, sorted by creation time and then by ID. */
  readonly created: ReadonlyMap<string, string>
}

/**
 * Seeds a new list in which all resources except one have the same creation time. The exception is an hour older and
 * has the greatest ID.
 */
export const seedEqualTimestamps = async (trial: Trial): Promise<EqualTimestamps> => {
  const prepare = grounds[trial.cell.operation.id]
  if (prepare === undefined) throw new NotApplicable('the creation times of the items are unknown')
  const { place, collection, field, like } = await prepare(trial)
  const at = timestampAt(like, field)
  const ids = arrivals.map(unusedId).sort()
  const timestamps = ids.map((_, index) => timestamp(index === ids.length - 1 ? at - days(1) / 24 : at))
  const rows = ids.map((id, index): Json => ({ ...like, id, [field]: timestamps[index] ?? '' }))
  await trial.context.prerequisites.seed({ [collection]: arrivals.map((index) => rows[index] ?? null) })
  const created = ids.map((id, index): [string, string] => [id, timestamps[index] ?? ''])
  return { place, created: new Map([...created.slice(-1), ...created.slice(0, -1)]) }
}

/**
 * Seeds a new list with the given number of resources, and returns its path.
 *
 * @param fieldsOf The fields in which a resource differs from the others.
 */
export const seedMany = async (
  trial: Trial,
  count: number,
  fieldsOf: (index: number) => JsonObject = () => ({}),
): Promise<ResourcePath> => {
  const prepare = grounds[trial.cell.operation.id]
  if (prepare === undefined) throw new NotApplicable("a seed can't fill this list")
  const { place, collection, field, like } = await prepare(trial)
  const at = timestampAt(like, field)
  const rows = Array.from({ length: count }, (_, index) => ({
    ...like,
    id: unusedId(),
    [field]: timestamp(at - index * 1000),
    ...fieldsOf(index),
  }))
  await trial.context.prerequisites.seed({ [collection]: rows })
  return place
}
