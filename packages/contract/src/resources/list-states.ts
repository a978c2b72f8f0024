import type { OperationId } from '@svc-admin/types'
import { timedForEach } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { type Json, stringAt } from '../document/json.ts'
import { type ClusterKind, clusterKinds, kinds, labelFor } from '../given/clusters.ts'
import { describeResponse, isSuccess } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import { acknowledge, inSeconds, withAlert } from './alerts.ts'
import { childPath, idIn, pass, prepared, sendInAnyVersion } from './backups.ts'
import { ownExportJob } from './export-jobs.ts'
import { expectListedAlike } from './list-items.ts'
import { type OwnCluster, ownCluster, type ResourcePath, sendRequest } from './own-resources.ts'
import { type DeliveryType, ownRestoreJob, restoreTo } from './restore-jobs.ts'
import { indexBody, namespace, textDefinition } from './search.ts'
import { ownSnapshot, takeSnapshot } from './snapshots.ts'
import { secondsIn } from './successful-response.ts'

/** This rule tests that lists show the current state of a resource, not the state in which it was stored. */

const minute = 60

/** Compares the resource in the list under test with the single resource. */
type Compare = (place: ResourcePath, id: string) => Promise<void>

/** Moves a resource through its states, and compares it in each state. */
type Scenario = (trial: Trial, compare: Compare) => Promise<void>

type Scenarios = Readonly<Record<string, Scenario>>

interface Begun {
  readonly place: OwnCluster
  readonly id: string
}

type Begin = (trial: Trial) => Promise<Begun>

/** Ends a resource's current state. */
type Event = (trial: Trial, begun: Begun) => Promise<void>

/** Compares a new resource, and compares it again each time that a state should have ended. */
const throughTime =
  (begin: Begin, machine: Parameters<typeof secondsIn>[0], ...states: readonly string[]): Scenario =>
  async (trial, compare) => {
    const { place, id } = await begin(trial)
    await compare(place, id)
    for (const state of states) {
      await pass(trial, secondsIn(machine, state))
      await compare(place, id)
    }
  }

/** Compares a new resource, and compares it again after another request or an event. */
const throughEvent =
  (begin: Begin, event: Event): Scenario =>
  async (trial, compare) => {
    const begun = await begin(trial)
    await compare(begun.place, begun.id)
    await event(trial, begun)
    await compare(begun.place, begun.id)
  }

const newSnapshot =
  (kind: ClusterKind): Begin =>
  async (trial) => {
    const place = await takeSnapshot(trial, await ownCluster(trial.context, kinds[kind]))
    return { place, id: place.snapshotId }
  }

const newInstanceSnapshot: Begin = async ({ context }) => {
  const place = await ownCluster(context, kinds.serverless)
  const { groupId, clusterName } = place
  return {
    place,
    id: idIn(await context.prerequisites.arrange('backups/snapshots', { groupId, clusterName })),
  }
}

const newRestoreJob =
  (type: DeliveryType, kind: ClusterKind): Begin =>
  async (trial) => {
    const place = await ownRestoreJob(trial, type, kind)
    return { place, id: place.restoreJobId }
  }

const newInstanceRestoreJob =
  (type: DeliveryType): Begin =>
  async (trial) => {
    const place = await ownSnapshot(trial, 'serverless')
    const body = restoreTo(place, type)
    const exchange = await sendInAnyVersion(trial, place, 'createServerlessRestoreJob', { body })
    return { place, id: idIn(prepared(exchange, 'a restore job of an instance')) }
  }

const newExportJob =
  (kind: ClusterKind): Begin =>
  async (trial) => {
    const place = await ownExportJob(trial, kind)
    return { place, id: place.exportId }
  }

/** Creates an index. The path also identifies its collection, because one of the lists requires a collection. */
const newIndex: Begin = async (trial) => {
  const { database: databaseName, collectionName } = namespace
  const place = childPath(await ownCluster(trial.context), { databaseName, collectionName })
  const body = indexBody({ definition: textDefinition })
  const created = prepared(await sendRequest(trial, place, { body }, 'createSearchIndex'), 'an index')
  return { place, id: stringAt(created, 'indexID') ?? '' }
}

/** Sends a request that changes the state of the resource. */
const perform = async (
  trial: Trial,
  { place, id }: Begun,
  [operation, parameter]: readonly [operation: OperationId, parameter: string],
  body?: Json,
): Promise<void> => {
  const where = childPath(place, { [parameter]: id })
  const exchange = await sendInAnyVersion(trial, where, operation, body === undefined ? {} : { body })
  if (!isSuccess(exchange)) throw new Untestable(`${operation} to succeed (${describeResponse(exchange)})`)
}

const cancelRestore: Event = (trial, begun) => perform(trial, begun, ['cancelRestoreJob', 'restoreJobId'])

const updateIndex: Event = (trial, begun) =>
  perform(trial, begun, ['updateSearchIndex', 'indexId'], { definition: { mappings: { dynamic: true } } })

/** Ends the resource's current state with an action of the sandbox or of a hook. */
const arranged =
  (action: string, parameter: string): Event =>
  async ({ context }, { place, id }) => {
    const { groupId, clusterName } = place
    await context.prerequisites.arrange(action, { groupId, clusterName, [parameter]: id })
  }

/** Compares an alert while it is tracked, open, acknowledged and closed. */
const alertStates: Scenario = (trial, compare) =>
  withAlert(
    trial,
    async (alertId, { alertConfigId, end }) => {
      const { groupId = '' } = trial.context.target.things
      const place = { parameters: { groupId, alertConfigId }, as: 'any allowed caller' } as const
      await compare(place, alertId)
      await pass(trial, 11 * minute)
      await compare(place, alertId)
      await acknowledge(trial, alertId, { acknowledgedUntil: await inSeconds(trial, 60 * minute) })
      await compare(place, alertId)
      await end()
      await compare(place, alertId)
    },
    { delays: [10] },
  )

/** Creates a scenario for each kind of cluster. */
const ofEachKind = (name: string, scenarioOf: (kind: ClusterKind) => Scenario): Scenarios =>
  Object.fromEntries(clusterKinds.map((kind) => [labelFor(kind, name), scenarioOf(kind)]))

const indexStates: Scenarios = {
  'new index': throughTime(newIndex, 'search-index', 'PENDING', 'BUILDING'),
  'updated index': throughEvent(newIndex, updateIndex),
  'failed index': throughEvent(newIndex, arranged('search-indexes/fail', 'indexId')),
}

const scenarios: Readonly<Partial<Record<OperationId, Scenarios>>> = {
  listAlerts: { alert: alertStates },
  listAlertsByAlertConfig: { alert: alertStates },
  listSnapshots: { snapshot: throughTime(newSnapshot('replicaSet'), 'snapshot', 'queued', 'inProgress') },
  listShardedClusterSnapshots: {
    snapshot: throughTime(newSnapshot('shardedCluster'), 'snapshot', 'queued', 'inProgress'),
  },
  listServerlessSnapshots: {
    snapshot: throughTime(newInstanceSnapshot, 'snapshot', 'queued', 'inProgress'),
  },
  listRestoreJobs: {
    ...ofEachKind('restore', (kind) =>
      throughTime(newRestoreJob('automated', kind), 'restore-job', 'running'),
    ),
    ...ofEachKind('download', (kind) =>
      throughTime(newRestoreJob('download', kind), 'restore-job', 'running', 'finished'),
    ),
    ...ofEachKind('canceled restore', (kind) =>
      throughEvent(newRestoreJob('automated', kind), cancelRestore),
    ),
  },
  listServerlessRestoreJobs: {
    restore: throughTime(newInstanceRestoreJob('automated'), 'restore-job', 'running'),
    download: throughTime(newInstanceRestoreJob('download'), 'restore-job', 'running', 'finished'),
  },
  listExportJobs: {
    ...ofEachKind('export', (kind) => throughTime(newExportJob(kind), 'export-job', 'Queued', 'InProgress')),
    'failed export': throughEvent(newExportJob('replicaSet'), arranged('backups/exports/fail', 'exportId')),
    'canceled export': throughEvent(
      newExportJob('replicaSet'),
      arranged('backups/exports/cancel', 'exportId'),
    ),
  },
  listSearchIndexes: indexStates,
  listCollectionSearchIndexes: indexStates,
}

/** These lists contain resources only in some states. */
const partialLists: ReadonlySet<OperationId> = new Set(['listAlertsByAlertConfig'])

export const eachState = timedForEach(
  ({ operation }) => Object.entries(scenarios[operation.id] ?? {}),
  ([name]) => `states of ${name}`,
  (trial, [, scenario]) =>
    scenario(trial, ({ parameters, as }, id) => {
      const caller = as === 'any allowed caller' ? {} : { as }
      const mayLack = partialLists.has(trial.cell.operation.id)
      return expectListedAlike(trial, { parameters, ...caller }, id, mayLack)
    }),
  { at: ({ operation }) => scenarios[operation.id] !== undefined || 'the items have no states' },
)
