import { limits } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../../src/document/json.ts'
import { isSuccess, onResponse, withHeader } from '../mutant.ts'
import {
  acceptsInvalid,
  allowedAgain,
  another,
  type Body,
  breaking,
  changedRequest,
  changedResponse,
  granted,
  heldBy,
  ignoredFields,
  ofCluster,
  onlyFirst,
  optional,
  pretended,
  refused,
  responseField,
  textIn,
  unforgiving,
  unknownId,
  type Way,
  withoutResponseFields,
  wrongItems,
} from './ways.ts'

const notFound = [404, 'RESOURCE_NOT_FOUND'] as const
const forbidden = [403, 'INSUFFICIENT_ROLE'] as const
const inProgress = [409, 'SNAPSHOT_IN_PROGRESS'] as const

const isManager = heldBy('PROJECT_BACKUP_MANAGER')
const managerRefused = refused('Project Backup Manager', isManager, forbidden)

const clusterIn = ({ path }: { readonly path: string }): string => path.split('?')[0] ?? ''

const identifier = /^[0-9a-f]{24}$/

const put =
  (name: string, value: Json) =>
  (body: Body): Json => ({ ...body, [name]: value })

const deprecation: readonly Way[] = (
  [
    ['Deprecation', undefined],
    ['Sunset', undefined],
    ['Sunset', 'Fri, 01 Jan 2027 00:00:00 GMT'],
  ] as const
).map(([name, value]) => ({
  what: value === undefined ? `no ${name}` : 'another Sunset',
  make: () => onResponse(isSuccess, (response) => withHeader(response, name, value)),
}))

/** Mutants that break the requirements for cluster kinds and on-demand snapshots. */
export const snapshots = breaking('snapshots', {
  'cluster-kinds.serverless-instances': [
    refused(
      'serverless',
      ofCluster(({ type }) => type === 'SERVERLESS'),
      notFound,
    ),
  ],
  'cluster-kinds.flex-clusters': [
    refused(
      'flex',
      ofCluster(({ type }) => type === 'FLEX'),
      notFound,
    ),
  ],
  'cluster-kinds.serverless-sunset': deprecation,
  'cluster-kinds.clusters-only': [
    granted(
      404,
      'serverless',
      ofCluster(({ type }) => type === 'SERVERLESS'),
    ),
    granted(
      404,
      'flex',
      ofCluster(({ type }) => type === 'FLEX'),
    ),
  ],
  'cluster-kinds.serverless-only': [
    granted(
      404,
      'replica set',
      ofCluster(({ type }) => type === 'REPLICASET'),
    ),
  ],
  'takeSnapshot.answers-with-replica-set-snapshot': [
    ignoredFields('description'),
    responseField('snapshotType', 'scheduled'),
    withoutResponseFields('status'),
    another('id'),
  ],
  'takeSnapshot.retention-from-1': [
    refused('one day', ({ retentionInDays }) => retentionInDays === limits.retentionInDays.minimum),
    acceptsInvalid('no day', ({ retentionInDays }) => retentionInDays === 0, put('retentionInDays', 1)),
    changedRequest(
      'two days are one',
      put('retentionInDays', 1),
      ({ retentionInDays }) => retentionInDays === 2,
    ),
  ],
  'takeSnapshot.one-at-a-time': [allowedAgain(409)],
  'takeSnapshot.again-when-completed': [onlyFirst('one for ever', clusterIn, inProgress)],
  'takeSnapshot.other-cluster-free': [onlyFirst('one in all', () => '', inProgress)],
  'takeSnapshot.expires-after-retention': [ignoredFields('retentionInDays')],
  'takeSnapshot.retention-default': [
    changedRequest('one day by default', (body) => ({ retentionInDays: 1, ...body })),
  ],
  'takeSnapshot.below-compliance-refused': [granted(409)],
  'snapshot.queued-first': [responseField('status', 'completed', 'queued')],
  'snapshot.in-progress-next': [
    { ...responseField('status', 'queued', 'inProgress'), at: ['getSnapshot'] },
    { ...responseField('status', 'completed', 'inProgress'), at: ['getSnapshot'] },
  ],
  'snapshot.completed-at-last': [
    { ...responseField('status', 'inProgress', 'completed'), at: ['getSnapshot'] },
    { ...responseField('status', 'failed', 'completed'), at: ['getSnapshot'] },
  ],
  'snapshot.gone-after-expiry': [{ ...granted(404), at: ['getSnapshot'] }],
  'getSnapshot.answers-with-replica-set-snapshot': [another('id')],
  'getShardedClusterSnapshot.answers-with-sharded-cluster-snapshot': [another('id')],
  'getServerlessSnapshot.answers-with-serverless-snapshot': [another('id')],
  'listSnapshots.lists-the-cluster': wrongItems('id'),
  'listServerlessSnapshots.lists-the-instance': wrongItems('id'),
  'listShardedClusterSnapshots.lists-the-cluster': [
    ...wrongItems('id'),
    withoutResponseFields('results'),
    withoutResponseFields('links'),
  ],
  'deleteSnapshot.removes': [pretended],
  'deleteSnapshot.being-taken-refused': [granted(409)],
  'deleteSnapshot.compliance-refused': [granted(409)],
  'deleteShardedClusterSnapshot.removes': [pretended],
  'deleteShardedClusterSnapshot.being-taken-refused': [granted(409)],
  'deleteShardedClusterSnapshot.compliance-refused': [granted(409)],
  'updateSnapshotRetention.sets-expiration': [
    changedRequest('days for ever', put('retentionUnit', 'DAYS')),
    pretended,
  ],
  'updateSnapshotRetention.counts-from-taking': [
    changedRequest('a day too many', (body) => ({
      ...body,
      retentionValue: Number(body.retentionValue) + 1,
    })),
  ],
  'updateSnapshotRetention.four-units': [
    refused('MONTHS', ({ retentionUnit }) => retentionUnit === 'MONTHS'),
    changedRequest(
      'years are months',
      put('retentionUnit', 'MONTHS'),
      ({ retentionUnit }) => retentionUnit === 'YEARS',
    ),
    acceptsInvalid('HOURS', ({ retentionUnit }) => retentionUnit === 'HOURS', put('retentionUnit', 'DAYS')),
  ],
  'updateSnapshotRetention.both-members-required': [
    optional('retentionUnit', 'DAYS'),
    optional('retentionValue', 1),
  ],
  'updateSnapshotRetention.not-below-more-frequent': [granted(400), unforgiving],
})

const noTarget: Body = { targetClusterName: 'none', targetGroupId: unknownId }

/** Makes the server accept restores with these delivery types even if the body contains no target. */
const noTargetNeeded = (...types: readonly string[]): readonly Way[] =>
  ['targetClusterName', 'targetGroupId'].map((name) =>
    optional(name, noTarget[name] ?? null, ({ deliveryType }) => types.includes(String(deliveryType))),
  )

const { minimum: earliest } = limits.epochSeconds

const jobFlags = ['cancelled', 'expired', 'failed'] as const

/** Mutants that break the requirements for restoring clusters and serverless instances. */
export const restores = breaking('restores', {
  'createRestoreJob.answers-with-restore-job': [another('id'), withoutResponseFields('deliveryType')],
  'createRestoreJob.delivery-types': [
    ...['automated', 'download', 'pointInTime'].map((type) =>
      refused(type, ({ deliveryType }) => deliveryType === type),
    ),
    acceptsInvalid(
      'courier',
      ({ deliveryType }) => deliveryType === 'courier',
      put('deliveryType', 'automated'),
    ),
    optional('deliveryType', 'automated'),
  ],
  'createRestoreJob.automated-needs-target': noTargetNeeded('automated'),
  'createRestoreJob.point-in-time-needs-target': noTargetNeeded('pointInTime'),
  'createRestoreJob.download-needs-no-target': [
    refused('no target', (body) => body.deliveryType === 'download' && !('targetClusterName' in body)),
  ],
  'createRestoreJob.oplog-inc-from-1': [
    refused('one', ({ oplogInc }) => oplogInc === 1),
    acceptsInvalid('nought', ({ oplogInc }) => oplogInc === 0, put('oplogInc', 1)),
  ],
  'createRestoreJob.epoch-seconds-bound': (['oplogTs', 'pointInTimeUTCSeconds'] as const).flatMap((name) => [
    refused(`${name} at its bound`, (body) => body[name] === earliest),
    acceptsInvalid(`${name} below its bound`, (body) => Number(body[name]) < earliest, put(name, earliest)),
  ]),
  'createServerlessRestoreJob.answers-with-serverless-restore-job': [
    another('id'),
    withoutResponseFields('deliveryType'),
  ],
  'createServerlessRestoreJob.runs': jobFlags.map((name) => responseField(name, true)),
  'createServerlessRestoreJob.target-always-required': noTargetNeeded('automated', 'download', 'pointInTime'),
  'createServerlessRestoreJob.snapshot-must-be-completed': [granted(409), granted(404)],
  'getRestoreJob.answers-with-restore-job': [another('id')],
  'getServerlessRestoreJob.answers-with-serverless-restore-job': [another('id')],
  'getServerlessRestoreJob.no-cluster-members': [
    responseField('components', []),
    responseField('privateDownloadDeliveryUrls', []),
  ],
  'listRestoreJobs.lists-the-cluster': wrongItems('id'),
  'listServerlessRestoreJobs.lists-the-instance': wrongItems('id'),
  'cancelRestoreJob.cancels': [pretended],
  'cancelRestoreJob.ended-refused': [granted(409)],
  'restore-job.running': [
    ...jobFlags.map((name) => ({ ...responseField(name, true), at: ['createRestoreJob' as const] })),
    { ...responseField('finishedAt', '2025-11-18T06:00:00Z'), at: ['getRestoreJob'] },
    { ...responseField('failed', true), at: ['getRestoreJob'] },
  ],
  'restore-job.finished': [{ ...withoutResponseFields('finishedAt'), at: ['getRestoreJob'] }],
  'restore-job.download-delivered': [
    { ...withoutResponseFields('deliveryUrl'), at: ['getRestoreJob'] },
    { ...withoutResponseFields('expiresAt'), at: ['getRestoreJob'] },
  ],
  'restore-job.expired': [{ ...responseField('expired', false), at: ['getRestoreJob'] }],
  'restore-job.only-downloads-delivered': [
    { ...responseField('deliveryUrl', ['https://restore.svc.example/x']), at: ['getRestoreJob'] },
  ],
})

const bucketGood: Body = { bucketName: 'contract-exports', cloudProvider: 'AWS', iamRoleId: unknownId }

const nameLength = (length: number) => (body: Body) => textIn(body, 'bucketName').length === length
const { minLength, maxLength } = limits.bucketName

/** Mutants that break the requirements for export buckets and export jobs. */
export const exports = breaking('exports', {
  'createExportBucket.answers-with-export-bucket': [
    changedRequest('another name', put('bucketName', 'another-bucket')),
    another('_id'),
  ],
  'createExportBucket.all-members-required': Object.entries(bucketGood).map(([name, value]) =>
    optional(name, value),
  ),
  'createExportBucket.three-cloud-providers': [
    ...['AWS', 'AZURE', 'GCP'].map((provider) =>
      refused(provider, ({ cloudProvider }) => cloudProvider === provider),
    ),
    ...['ORACLE', 'aws', ''].map((provider) =>
      acceptsInvalid(
        `"${provider}"`,
        ({ cloudProvider }) => cloudProvider === provider,
        put('cloudProvider', 'AWS'),
      ),
    ),
  ],
  'createExportBucket.bucket-name-3-to-63': [
    refused('the shortest', nameLength(minLength)),
    refused('the longest', nameLength(maxLength)),
    acceptsInvalid('too short a name', nameLength(minLength - 1), put('bucketName', 'contract-exports')),
    acceptsInvalid('too long a name', nameLength(maxLength + 1), put('bucketName', 'contract-exports')),
  ],
  'createExportBucket.backup-manager-in-v1': [managerRefused],
  'createExportBucket.owner-in-v2': [
    granted(403, 'Project Backup Manager', isManager),
    refused('Project Owner', heldBy('PROJECT_OWNER'), forbidden),
  ],
  'createExportBucket.iam-role-id-is-identifier': [
    acceptsInvalid(
      'no identifier',
      ({ iamRoleId }) => !identifier.test(String(iamRoleId)),
      put('iamRoleId', unknownId),
    ),
  ],
  'createExportBucket.role-must-exist': [granted(404)],
  'createExportBucket.role-must-be-authorized': [granted(409)],
  'getExportBucket.answers-with-export-bucket': [another('_id')],
  'getExportBucket.backup-manager-in-v1': [managerRefused],
  'listExportBuckets.lists-the-project': wrongItems('_id'),
  'listExportBuckets.backup-manager-in-v1': [managerRefused],
  'deleteExportBucket.removes': [pretended],
  'deleteExportBucket.in-use-refused': [granted(409)],
  'deleteExportBucket.free-after-export-disabled': [unforgiving, granted(409)],
  'createExportJob.answers-with-export-job': [
    another('id'),
    withoutResponseFields('createdAt'),
    withoutResponseFields('state'),
  ],
  'createExportJob.both-ids-required': [
    optional('exportBucketId', unknownId),
    optional('snapshotId', unknownId),
  ],
  'createExportJob.custom-data-kept': [
    ignoredFields('customData'),
    changedRequest(
      'the first label alone',
      (body) => ({ ...body, customData: isArray(body.customData) ? body.customData.slice(0, 1) : [] }),
      ({ customData }) => isArray(customData),
    ),
  ],
  'createExportJob.bucket-must-exist': [granted(404)],
  'createExportJob.snapshot-must-be-completed': [granted(409)],
  'getExportJob.answers-with-export-job': [another('id')],
  'getExportJob.components': [
    withoutResponseFields('components'),
    changedResponse('one shard for all', (body) => ({
      ...body,
      components: (isArray(body.components) ? body.components : []).map((one) =>
        isObject(one) ? { ...one, replicaSetName: 'shard-0' } : one,
      ),
    })),
  ],
  'listExportJobs.lists-the-cluster': wrongItems('id'),
  'export-job.queued-first': [
    { ...responseField('state', 'InProgress', 'Queued'), at: ['getExportJob'] },
    { ...responseField('state', 'Successful', 'Queued'), at: ['createExportJob'] },
  ],
  'export-job.in-progress-next': [
    { ...responseField('state', 'Queued', 'InProgress'), at: ['getExportJob'] },
  ],
  'export-job.successful-at-last': [
    { ...responseField('state', 'InProgress', 'Successful'), at: ['getExportJob'] },
    { ...withoutResponseFields('finishedAt'), at: ['getExportJob'] },
    { ...withoutResponseFields('prefix'), at: ['getExportJob'] },
  ],
})
