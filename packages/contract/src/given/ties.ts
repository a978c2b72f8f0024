import type { OperationId } from '@svc-admin/types'
import type { Json, JsonObject } from '../document/json.ts'
import { NotApplicable } from '../engine/signals.ts'
import type { Trial } from '../engine/trial.ts'
import { below, days, demoRow, momentAt, seedBucket, timestamp } from './backups.ts'
import { kinds } from './clusters.ts'
import { nobodysId, type OwnCluster, ownCluster, ownProject, type Place } from './own-places.ts'
import { type SnapshotKind, seedSnapshot, snapshotRow } from './snapshots.ts'

// Of what an operation makes, nobody is shown the moment to its last digit. What a seed puts in place was created when
// the seed says.

/** Where a list is, and what the things in it are like. */
interface Ground {
  readonly place: Place
  /** The collection of a seed that has them. */
  readonly collection: string
  /** The member that says when each was created. */
  readonly field: 'created' | 'createdAt'
  readonly like: JsonObject
}

type Preparing = (trial: Trial) => Promise<Ground>

const ofPlace = ({ groupId, clusterName }: OwnCluster) => ({ groupId, clusterName })

const configs: Preparing = async ({ world }) => {
  const place = await ownProject(world)
  const like = { ...demoRow('alertConfigs'), groupId: place.groupId }
  return { place, collection: 'alertConfigs', field: 'created', like }
}

/** Open ones, since a configuration lists no others; nobody is notified of those of one that is off. */
const alerts: Preparing = async ({ world }) => {
  const place = await ownCluster(world, {}, await ownProject(world))
  const { orgId, groupId } = place
  const alertConfigId = nobodysId()
  const config = { ...demoRow('alertConfigs'), id: alertConfigId, groupId, enabled: false }
  await world.prerequisites.seed({ alertConfigs: [config] })
  const like = { ...demoRow('alerts'), ...ofPlace(place), orgId, alertConfigId, status: 'OPEN' }
  return { place: below(place, { alertConfigId }), collection: 'alerts', field: 'created', like }
}

const snapshotsOf =
  (kind: SnapshotKind, collection: string): Preparing =>
  async (trial) => {
    const place = await ownCluster(trial.world, kinds[kind])
    return { place, collection, field: 'createdAt', like: await snapshotRow(trial, place, kind) }
  }

const exportJobs: Preparing = async (trial) => {
  const within = await ownProject(trial.world)
  const exportBucketId = await seedBucket(trial, within)
  const place = await seedSnapshot(trial, await ownCluster(trial.world, {}, within), 'replicaSet')
  const { snapshotId } = place
  const like = { ...demoRow('exportJobs'), ...ofPlace(place), snapshotId, exportBucketId }
  return { place, collection: 'exportJobs', field: 'createdAt', like }
}

const restoreJobsOf =
  (kind: SnapshotKind, collection: string): Preparing =>
  async (trial) => {
    const place = await seedSnapshot(trial, await ownCluster(trial.world, kinds[kind]), kind)
    const { snapshotId, clusterName, groupId } = place
    const target = { targetClusterName: clusterName, targetGroupId: groupId }
    const like = { ...demoRow(collection), ...ofPlace(place), ...target, snapshotId }
    return { place, collection, field: 'createdAt', like }
  }

/** Of other paged lists, a seed cannot say when the things in them were created. */
const grounds: Readonly<Partial<Record<OperationId, Preparing>>> = {
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
export const mayHaveTies = (operation: OperationId): boolean => grounds[operation] !== undefined

/** Neither ascending nor descending, so that neither the order of arrival nor its reverse is that of identifiers. */
const arrivals = [2, 4, 0, 3, 1] as const

interface Ties {
  readonly place: Place
  /** When each was created, by its identifier; they come by creation time, then id. */
  readonly created: ReadonlyMap<string, string>
}

/**
 * Puts things in a list of their own: all but one of them created at one moment, and one an hour before them, whose
 * identifier is the greatest.
 */
export const seedTies = async (trial: Trial): Promise<Ties> => {
  const prepare = grounds[trial.cell.operation.id]
  if (prepare === undefined) throw new NotApplicable('nobody can say when the items were created')
  const { place, collection, field, like } = await prepare(trial)
  const at = momentAt(like, field)
  const ids = arrivals.map(nobodysId).sort()
  const moments = ids.map((_, index) => timestamp(index === ids.length - 1 ? at - days(1) / 24 : at))
  const rows = ids.map((id, index): Json => ({ ...like, id, [field]: moments[index] ?? '' }))
  await trial.world.prerequisites.seed({ [collection]: arrivals.map((index) => rows[index] ?? null) })
  const created = ids.map((id, index): [string, string] => [id, moments[index] ?? ''])
  return { place, created: new Map([...created.slice(-1), ...created.slice(0, -1)]) }
}
