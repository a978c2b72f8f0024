import type { OperationId } from '@svc-admin/types'
import { always, forEach, type Rule, type RuleOptions, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject } from '../../document/json.ts'
import { kinds } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import { headerValue } from '../../http/exchange.ts'
import { expectError, expectRefusal, expectSuccess, expectThat, isRefusal } from '../../model/expect.ts'
import { childPath, demoRow, idsOf, seedBucket } from '../../resources/backups.ts'
import { type OwnCluster, ownCluster, sendRequest, unusedId } from '../../resources/own-resources.ts'
import { type SnapshotKind, seedSnapshot } from '../../resources/snapshots.ts'
import { successfulResponse } from '../../resources/successful-response.ts'

type Kind = keyof typeof kinds

const arranged: RuleOptions = { phase: 'write' }

/** The path and body of a request for a resource in a cluster. */
interface Attempt {
  readonly place: OwnCluster
  readonly body?: JsonObject
}

type Arrange = (trial: Trial, place: OwnCluster) => Promise<Attempt>

const nothing: Arrange = async (_, place) => ({ place })

const snapshot =
  (kind: SnapshotKind): Arrange =>
  async (trial, place) => ({ place: await seedSnapshot(trial, place, kind) })

/** Copies one of the demo organization's jobs to the cluster. */
const job =
  (collection: string, parameter: string): Arrange =>
  async ({ context }, place) => {
    const { groupId, clusterName } = place
    const id = unusedId()
    await context.prerequisites.seed({ [collection]: [{ ...demoRow(collection), id, groupId, clusterName }] })
    return { place: childPath(place, { [parameter]: id }) }
  }

/** Restores a snapshot to the cluster that it belongs to. */
const restore =
  (kind: SnapshotKind): Arrange =>
  async (trial, place) => {
    const { snapshotId } = await seedSnapshot(trial, place, kind)
    const target = { targetClusterName: place.clusterName, targetGroupId: place.groupId }
    return { place, body: { deliveryType: 'automated', snapshotId, ...target } }
  }

const exporting: Arrange = async (trial, place) => {
  const { snapshotId } = await seedSnapshot(trial, place, 'replicaSet')
  return { place, body: { snapshotId, exportBucketId: await seedBucket(trial, place) } }
}

/** For these operations, the check must first create a resource in the cluster. */
const arrangements: Readonly<Partial<Record<OperationId, Arrange>>> = {
  createExportJob: exporting,
  createRestoreJob: restore('replicaSet'),
  createServerlessRestoreJob: restore('serverless'),
  getExportJob: job('exportJobs', 'exportId'),
  getRestoreJob: job('restoreJobs', 'restoreJobId'),
  cancelRestoreJob: job('restoreJobs', 'restoreJobId'),
  getServerlessRestoreJob: job('serverlessRestoreJobs', 'restoreJobId'),
  getSnapshot: snapshot('replicaSet'),
  updateSnapshotRetention: snapshot('replicaSet'),
  deleteSnapshot: snapshot('replicaSet'),
  getShardedClusterSnapshot: snapshot('shardedCluster'),
  deleteShardedClusterSnapshot: snapshot('shardedCluster'),
  getServerlessSnapshot: snapshot('serverless'),
}

const attempt = async (trial: Trial, kind: Kind): Promise<Exchange> => {
  const arrange = arrangements[trial.cell.operation.id] ?? nothing
  const { place, body } = await arrange(trial, await ownCluster(trial.context, kinds[kind]))
  return await sendRequest(trial, place, body === undefined ? {} : { body })
}

const notFoundIn = (...others: readonly Kind[]): Rule =>
  forEach(
    () => others,
    (kind) => kind,
    async (trial, kind) =>
      expectError(await attempt(trial, kind), 'RESOURCE_NOT_FOUND', `the cluster is of the kind ${kind}`),
    arranged,
  )

const takes = (kind: Kind): Rule =>
  always(
    async (trial) => expectSuccess(await attempt(trial, kind), `a success for a cluster of the kind ${kind}`),
    arranged,
  )

/** Returns the kind of snapshot that the operation must not find. */
const otherKind = ({ cell }: Trial): SnapshotKind =>
  cell.operation.path.includes('shardedCluster') ? 'replicaSet' : 'shardedCluster'

/** Expects an error, or a list that doesn't contain the snapshot. */
const expectUnlisted = (exchange: Exchange, id: string): void => {
  if (isRefusal(exchange.response)) {
    expectRefusal(exchange, 'RESOURCE_NOT_FOUND', 'the operation may not support this kind of cluster')
    return
  }
  const { body } = successfulResponse(exchange)
  expectThat(!idsOf(body).includes(id), {
    expected: 'a list without snapshots of the other kind',
    actual: inspect(idsOf(body)),
    exchange,
  })
}

export default rules({
  'cluster-kinds.clusters-only': notFoundIn('serverless', 'flex'),

  'cluster-kinds.serverless-instances': takes('serverless'),

  'cluster-kinds.flex-clusters': takes('flex'),

  'cluster-kinds.serverless-only': notFoundIn('replicaSet', 'shardedCluster'),

  'cluster-kinds.serverless-sunset': always(async (trial) => {
    const exchange = await trial.try()
    expectSuccess(exchange)
    const { headers } = exchange.response
    const sunset = headerValue(headers, 'Sunset')
    const time = new Date(sunset ?? '')
    expectThat(time.getUTCFullYear() === 2026 && time.getUTCMonth() === 0, {
      expected: 'a Sunset header with a date in January 2026',
      actual: sunset ?? 'no Sunset header',
      exchange,
      strength: sunset === undefined ? 'decided' : 'stated',
    })
    const deprecation = headerValue(headers, 'Deprecation')
    expectThat(deprecation !== undefined, {
      expected: 'a Deprecation header',
      actual: 'no Deprecation header',
      exchange,
      strength: 'decided',
    })
  }),

  'cluster-kinds.own-kind-only': always(async (trial) => {
    const kind = otherKind(trial)
    const place = await seedSnapshot(trial, await ownCluster(trial.context, kinds[kind]), kind)
    const exchange = await sendRequest(trial, place)
    if (trial.cell.operation.pathParameters.includes('snapshotId'))
      return expectError(exchange, 'RESOURCE_NOT_FOUND', `the snapshot is of the kind ${kind}`)
    expectUnlisted(exchange, place.snapshotId)
  }, arranged),
})
