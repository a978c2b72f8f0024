import type { OperationId } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { kinds } from '../given/clusters.ts'
import { NotApplicable } from '../model/signals.ts'
import { childPath, days, demoRow, seedBucket, seedRole, timestamp, timestampAt } from './backups.ts'
import { type OwnCluster, ownCluster, ownProject, type ResourcePath, unusedId } from './own-resources.ts'
import { type SnapshotKind, seedSnapshot, snapshotRow } from './snapshots.ts'

/**
 * Seeding is necessary, because the API doesn't return exact creation times. The kit knows the creation times
 * of seeded resources.
 */

/** The path of a list, and the resources that it will contain. */
interface ListSetup {
  readonly place: ResourcePath
  /** The seed collection that contains the resources. */
  readonly collection: string
  readonly like: JsonObject
}

interface TimedListSetup extends ListSetup {
  /** The field that contains the creation time. */
  readonly field: 'created' | 'createdAt'
}

type SetUp = (trial: Trial) => Promise<TimedListSetup>

const clusterPathOf = ({ groupId, clusterName }: OwnCluster) => ({ groupId, clusterName })

const configs: SetUp = async ({ context }) => {
  const place = await ownProject(context)
  const like = { ...demoRow('alertConfigs'), groupId: place.groupId }
  return { place, collection: 'alertConfigs', field: 'created', like }
}

/**
 * Seeds a configuration with alerts. The alerts are open, because the list of a configuration's alerts contains only
 * open alerts. The configuration is disabled, so that no notifications are sent.
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

/** These paged lists contain resources with a creation time that a seed can set. */
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

const buckets = async (trial: Trial): Promise<ListSetup> => {
  const place = await ownProject(trial.context)
  const { groupId } = place
  const like = { ...demoRow('exportBuckets'), groupId, iamRoleId: await seedRole(trial, place) }
  return { place, collection: 'exportBuckets', like }
}

/** Returns whether a seed can fill the list with resources that were created at the same time. */
export const mayHaveEqualTimestamps = (operation: OperationId): boolean => grounds[operation] !== undefined

/** Returns whether a seed can fill the list. Export buckets have no creation time. */
export const canBeSeeded = (operation: OperationId): boolean =>
  mayHaveEqualTimestamps(operation) || operation === 'listExportBuckets'

/**
 * The order in which resources are seeded. The order is neither ascending nor descending, because otherwise sorting by
 * arrival could look like sorting by ID.
 */
const arrivals = [2, 4, 0, 3, 1] as const

interface EqualTimestamps {
  readonly place: ResourcePath
  /** The creation times by ID, sorted by creation time and then by ID. */
  readonly created: ReadonlyMap<string, string>
}

/** Seeds a list of resources with the same creation time. Only the resource with the greatest ID is an hour older. */
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

const portion = 100

/**
 * Seeds a list with the given number of resources, and returns the list's path.
 *
 * @param fieldsOf Returns the fields in which a resource differs from the other resources.
 */
export const seedMany = async (
  trial: Trial,
  count: number,
  fieldsOf: (index: number) => JsonObject = () => ({}),
): Promise<ResourcePath> => {
  const { id } = trial.cell.operation
  if (!canBeSeeded(id)) throw new NotApplicable("a seed can't add items to this list")
  const timed = await grounds[id]?.(trial)
  const { place, collection, like } = timed ?? (await buckets(trial))
  const ownFields = (index: number): JsonObject =>
    timed === undefined
      ? { _id: unusedId(), bucketName: `contract-${index}` }
      : { id: unusedId(), [timed.field]: timestamp(timestampAt(like, timed.field) - index * 1000) }
  const rows = Array.from({ length: count }, (_, index) => ({
    ...like,
    ...ownFields(index),
    ...fieldsOf(index),
  }))
  // Targets may seed each portion in one transaction, and long transactions can time out.
  for (let from = 0; from < count; from += portion)
    await trial.context.prerequisites.seed({ [collection]: rows.slice(from, from + portion) })
  return place
}
