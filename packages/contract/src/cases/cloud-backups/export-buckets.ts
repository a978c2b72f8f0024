import { always, type Check, forEach, onV1, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, listAt, stringAt } from '../../document/json.ts'
import { type ClusterKind, kinds } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectRefusal, expectRefused, expectSuccess, expectThat } from '../../model/expect.ts'
import { changeSchedule } from '../../resources/backup-schedules.ts'
import {
  childPath,
  expectExactly,
  expectFound,
  idsOf,
  prepared,
  readAt,
  seedBucket,
  seedRole,
  sendInAnyVersion,
  servesRole,
} from '../../resources/backups.ts'
import {
  type OwnCluster,
  ownCluster,
  ownProject,
  sendRequest,
  sendToNewest,
} from '../../resources/own-resources.ts'
import { successfulResponse } from '../../resources/successful-response.ts'

const readers = () => ['PROJECT_READ_ONLY', 'PROJECT_BACKUP_MANAGER'] as const

/** Creates a cluster that exports snapshots automatically, and the bucket that it exports to. */
const exportingCluster = async (trial: Trial, kind: ClusterKind = 'replicaSet'): Promise<OwnCluster> => {
  const within = await ownProject(trial.context)
  const exportBucketId = await seedBucket(trial, within)
  const place = await ownCluster(trial.context, kinds[kind], within)
  const body = { autoExportEnabled: true, export: { exportBucketId, frequencyType: 'daily' } }
  prepared(await sendToNewest(trial, place, 'updateBackupSchedule', { body }), 'a schedule that exports')
  return childPath(place, { exportBucketId })
}

const keptInUse =
  (look: (exchange: Exchange) => void, kind?: ClusterKind): Check =>
  async (trial) => {
    const place = await exportingCluster(trial, kind)
    look(await sendRequest(trial, place))
    expectSuccess(
      await sendInAnyVersion(trial, place, 'getExportBucket'),
      'a success, because the bucket must not be deleted',
    )
  }

const used = 'a backup schedule exports to it'

/**
 * Returns the features that use a role, serialized as JSON. A feature can identify its bucket with either a string or
 * an object, so the features are compared as strings.
 */
const usersOf = async (trial: Trial, place: OwnCluster): Promise<[string[], Exchange]> => {
  const { body, exchange } = await readAt(trial, place, 'getCloudProviderAccessRole')
  return [listAt(body, 'featureUsages').map((usage) => JSON.stringify(usage)), exchange]
}

export default rules({
  'listExportBuckets.lists-the-project': ownResourceRule(async (trial) => {
    const place = await ownProject(trial.context)
    const buckets = [await seedBucket(trial, place), await seedBucket(trial, place)]
    await seedBucket(trial, await ownProject(trial.context))
    expectExactly(successfulResponse(await sendRequest(trial, place)), buckets, '_id')
  }),

  'listExportBuckets.backup-manager-in-v1': forEach(readers, (role) => role, servesRole, { at: onV1 }),

  'getExportBucket.answers-with-export-bucket': always((trial) =>
    expectFound(trial, 'exportBucketId', '_id'),
  ),

  'getExportBucket.backup-manager-in-v1': forEach(readers, (role) => role, servesRole, { at: onV1 }),

  'deleteExportBucket.removes': ownResourceRule(async (trial) => {
    const project = await ownProject(trial.context)
    const exportBucketId = await seedBucket(trial, project)
    const place = childPath(project, { exportBucketId })
    expectSuccess(await sendInAnyVersion(trial, place, 'getExportBucket'))
    expectSuccess(await sendRequest(trial, place))
    const exchange = await sendInAnyVersion(trial, place, 'getExportBucket')
    expectRefusal(exchange, 'RESOURCE_NOT_FOUND', 'the bucket was deleted')
    const listed = await readAt(trial, place, 'listExportBuckets')
    expectThat(!idsOf(listed.body, '_id').includes(exportBucketId), {
      expected: 'a list without the deleted resource',
      actual: 'a list that includes it',
      exchange: listed.exchange,
    })
  }),

  'deleteExportBucket.in-use-refused': [
    ownResourceRule(keptInUse((exchange) => expectRefused(exchange, used))),
    ownResourceRule(
      keptInUse((exchange) => expectRefused(exchange, used), 'shardedCluster'),
      { label: 'sharded cluster' },
    ),
  ],

  'deleteExportBucket.in-use-refused-code': ownResourceRule(
    keptInUse((exchange) => expectError(exchange, 'EXPORT_BUCKET_IN_USE', used)),
  ),

  'deleteExportBucket.free-after-export-disabled': ownResourceRule(async (trial) => {
    const place = await exportingCluster(trial)
    const second = await ownCluster(trial.context, kinds.shardedCluster, place)
    const body = {
      autoExportEnabled: true,
      export: { exportBucketId: place.parameters.exportBucketId ?? '' },
    }
    prepared(await changeSchedule(trial, second, body), 'a second schedule that exports')
    const clusters = [place, second]
    // Only one cluster exports at a time, because a server might check only one cluster.
    for (const cluster of clusters) {
      for (const one of clusters)
        successfulResponse(await changeSchedule(trial, one, { autoExportEnabled: one === cluster }))
      expectRefused(await sendRequest(trial, place), 'another cluster still exports to it')
    }
    successfulResponse(await changeSchedule(trial, second, { autoExportEnabled: false }))
    expectSuccess(await sendRequest(trial, place), 'a success, because no schedule exports to the bucket')
  }),

  'createExportBucket.role-names-the-bucket': ownResourceRule(async (trial) => {
    const project = await ownProject(trial.context)
    const roleId = await seedRole(trial, project)
    const body = { bucketName: 'contract-exports', cloudProvider: 'AWS', iamRoleId: roleId }
    const created = successfulResponse(await sendInAnyVersion(trial, project, 'createExportBucket', { body }))
    const exportBucketId = stringAt(created.body, '_id') ?? ''
    const place = childPath({ ...project, clusterName: '' }, { roleId, cloudProvider: 'AWS', exportBucketId })
    const [users, exchange] = await usersOf(trial, place)
    expectThat(
      users.some((usage) => usage.includes(exportBucketId)),
      {
        expected: `featureUsages that contain ${exportBucketId}`,
        actual: inspect(users),
        exchange,
      },
    )
    const refusal = await sendInAnyVersion(trial, place, 'deauthorizeCloudProviderAccessRole')
    expectRefusal(refusal, 'INVALID_STATE', 'a bucket uses the role')
    expectSuccess(await sendInAnyVersion(trial, place, 'deleteExportBucket'))
    const [left, after] = await usersOf(trial, place)
    expectThat(left.length === 0, { expected: 'no featureUsages', actual: inspect(left), exchange: after })
    expectSuccess(await sendInAnyVersion(trial, place, 'deauthorizeCloudProviderAccessRole'))
  }),
})
