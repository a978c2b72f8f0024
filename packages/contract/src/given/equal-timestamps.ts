import type { OperationId } from '@svc-admin/types'
import type { Json, JsonObject } from '../document/json.ts'
import { NotApplicable } from '../engine/signals.ts'
import type { Trial } from '../engine/trial.ts'
import { childPath, days, demoRow, seedBucket, timestamp, timestampAt } from './backups.ts'
import { kinds } from './clusters.ts'
import { type OwnCluster, ownCluster, ownProject, type ResourcePath, unusedId } from './own-resources.ts'
import { type SnapshotKind, seedSnapshot, snapshotRow } from './snapshots.ts'

// Of what an operation makes, nobody is shown the moment to its last digit. What a seed puts in place was created when
// the seed says.

/** Where a list is, and what the things in it are like. */
interface ListSetup {
  readonly place: ResourcePath
  /** The collection of a seed that has them. */
  readonly collection: string
  /** The member that says when each was created. */
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

/** Open ones, since a configuration lists no others; nobody is notified of those of one that is off. */
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

/** Of other paged lists, a seed cannot say when the things in them were created. */
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

/** Lists in which things can be put that were created at one moment. */
export const mayHaveEqualTimestamps = (operation: OperationId): boolean => grounds[operation] !== undefined

/** Neither ascending nor descending, so that neither the order of arrival nor its reverse is that of identifiers. */
const arrivals = [2, 4, 0, 3, 1] as const

interface EqualTimestamps {
  readonly place: ResourcePath
  /** When each was created, by its identifier; they come by creation time, then id. */
  readonly created: ReadonlyMap<string, string>
}

/**
 * Puts things in a list of their own: all but one of them created at one moment, and one an hour before them, whose
 * identifier is the greatest.
 */
export const seedEqualTimestamps = async (trial: Trial): Promise<EqualTimestamps> => {
  const prepare = grounds[trial.cell.operation.id]
  if (prepare === undefined) throw new NotApplicable('nobody can say when the items were created')
  const { place, collection, field, like } = await prepare(trial)
  const at = timestampAt(like, field)
  const ids = arrivals.map(unusedId).sort()
  const timestamps = ids.map((_, index) => timestamp(index === ids.length - 1 ? at - days(1) / 24 : at))
  const rows = ids.map((id, index): Json => ({ ...like, id, [field]: timestamps[index] ?? '' }))
  await trial.context.prerequisites.seed({ [collection]: arrivals.map((index) => rows[index] ?? null) })
  const created = ids.map((id, index): [string, string] => [id, timestamps[index] ?? ''])
  return { place, created: new Map([...created.slice(-1), ...created.slice(0, -1)]) }
}
