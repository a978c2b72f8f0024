import { always, forEach, ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { JsonObject } from '../../document/json.ts'
import { kinds, labelFor } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectAt, expectError, expectSuccess } from '../../model/expect.ts'
import {
  asHolder,
  childPath,
  expectExactly,
  expectFound,
  expectNamed,
  idIn,
  prepared,
  sendInAnyVersion,
  servedAt,
} from '../../resources/backups.ts'
import {
  type OwnCluster,
  ownCluster,
  ownProject,
  sendRequest,
  unusedId,
} from '../../resources/own-resources.ts'
import {
  type DeliveryType,
  deliveryTypes,
  expectFlags,
  passUntilFinished,
  type Restorable,
  restorable,
  restoreTo,
  timestampFields,
} from '../../resources/restore-jobs.ts'
import { type OwnSnapshot, ownSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import {
  expectContains,
  expectField,
  expectText,
  refused,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

const instanceKinds = ['serverless', 'flex'] as const
type InstanceKind = (typeof instanceKinds)[number]

/** Seeds a snapshot in a new serverless instance or flex cluster. */
const instanceSnapshot = async (trial: Trial, kind: InstanceKind): Promise<OwnSnapshot> =>
  seedSnapshot(trial, await ownCluster(trial.context, kinds[kind]), 'serverless')

const restore = async (trial: Trial, place: OwnCluster, body: JsonObject): Promise<Exchange> =>
  await sendInAnyVersion(trial, place, 'createServerlessRestoreJob', { body })

const begin = async (trial: Trial, place: OwnSnapshot, type: DeliveryType): Promise<OwnSnapshot> => {
  const job = prepared(await restore(trial, place, restoreTo(place, type)), 'a restore job of an instance')
  return childPath(place, { restoreJobId: idIn(job) })
}

/** Sends a restore request that is valid except for one change. */
const wrongly = async (
  trial: Trial,
  type: DeliveryType,
  change: (body: JsonObject, place: Restorable) => JsonObject,
  kind: InstanceKind = 'serverless',
): Promise<Exchange> => {
  const place =
    kind === 'flex' ? await instanceSnapshot(trial, kind) : await restorable(trial, type, 'serverless')
  return await sendRequest(trial, place, { body: change(restoreTo(place, type), place) })
}

/** Expects the server to reject a point-in-time restore if the body specifies no time or two times. */
const rejectedTime = async (
  trial: Trial,
  change: (body: JsonObject, place: Restorable) => JsonObject,
  why: string,
): Promise<void> => {
  const exchange = await wrongly(trial, 'pointInTime', change)
  refused(exchange, why)
  expectAt(exchange, timestampFields)
}

const targets = deliveryTypes.flatMap((type) =>
  (['targetClusterName', 'targetGroupId'] as const).flatMap((field) =>
    instanceKinds.map((kind) => ({ type, field, kind })),
  ),
)

export default rules({
  'createServerlessRestoreJob.answers-with-serverless-restore-job': forEach(
    () => instanceKinds.flatMap((kind) => deliveryTypes.map((type) => ({ kind, type }))),
    ({ kind, type }) => labelFor(kind, type),
    async (trial, { kind, type }) => {
      const place = await instanceSnapshot(trial, kind)
      const sent = restoreTo(place, type)
      const created = successfulResponse(await restore(trial, place, sent))
      expectContains(created.exchange, created.body, sent)
      expectText(created, 'id')
      const where = childPath(place, { restoreJobId: idIn(created.body) })
      const found = successfulResponse(await sendInAnyVersion(trial, where, 'getServerlessRestoreJob'))
      expectContains(found.exchange, found.body, { ...sent, id: idIn(created.body) })
    },
  ),

  'createServerlessRestoreJob.runs': ownResourceRule(async (trial) => {
    const place = await ownSnapshot(trial, 'serverless')
    expectFlags(successfulResponse(await restore(trial, place, restoreTo(place, 'automated'))))
  }),

  'createServerlessRestoreJob.target-always-required': forEach(
    () => targets,
    ({ type, field, kind }) => labelFor(kind, `${type} without ${field}`),
    async (trial, { type, field, kind }) => {
      const exchange = await wrongly(trial, type, (body) => without(body, field), kind)
      expectNamed(exchange, 'VALIDATION_ERROR', `/${field}`, `${field} is missing`)
    },
  ),

  'createServerlessRestoreJob.point-in-time-needs-moment': [
    ownResourceRule(
      (trial) =>
        rejectedTime(
          trial,
          (body) => without(body, 'pointInTimeUTCSeconds'),
          'the body has no point in time',
        ),
      { label: 'rejected' },
    ),
    ownResourceRule(
      async (trial) => {
        const place = await ownSnapshot(trial, 'serverless')
        const { pointInTimeUTCSeconds: _, ...body } = restoreTo(place, 'pointInTime')
        expectSuccess(await restore(trial, place, { ...body, oplogTs: place.pointInTime, oplogInc: 1 }))
      },
      { label: 'oplogTs' },
    ),
  ],

  'createServerlessRestoreJob.needs-snapshot': forEach(
    () => ['automated', 'download'] as const,
    (type) => type,
    async (trial, type) => {
      const exchange = await wrongly(trial, type, (body) => without(body, 'snapshotId'))
      expectNamed(exchange, 'VALIDATION_ERROR', '/snapshotId', `${type} needs a snapshot`)
    },
  ),

  'createServerlessRestoreJob.point-in-time-one-moment': ownResourceRule((trial) =>
    rejectedTime(
      trial,
      (body, { pointInTime }) => ({ ...body, oplogTs: pointInTime, oplogInc: 1 }),
      'the body has two points in time',
    ),
  ),

  'createServerlessRestoreJob.oplog-members-together': forEach(
    () => ['oplogTs', 'oplogInc'] as const,
    (field) => `only ${field}`,
    (trial, field) =>
      rejectedTime(
        trial,
        (body, { pointInTime }) => ({
          ...without(body, 'pointInTimeUTCSeconds'),
          [field]: field === 'oplogTs' ? pointInTime : 1,
        }),
        'oplogTs and oplogInc must be sent together',
      ),
  ),

  'createServerlessRestoreJob.target-needs-role': ownResourceRule(async (trial) => {
    const place = await ownSnapshot(trial, 'serverless', {}, await ownProject(trial.context))
    const target = await ownCluster(trial.context, kinds.serverless, await ownProject(trial.context))
    const to = { targetGroupId: target.groupId, targetClusterName: target.clusterName }
    const body = { ...restoreTo(place, 'automated'), ...to }
    const here = { role: 'PROJECT_OWNER', groupId: place.groupId } as const
    const reader = await asHolder(trial, place, here, { role: 'PROJECT_READ_ONLY', groupId: target.groupId })
    const exchange = await restore(trial, reader, body)
    expectError(exchange, 'INSUFFICIENT_ROLE', 'the caller has only read access in the target project')
    const owner = await asHolder(trial, place, here, { role: 'PROJECT_OWNER', groupId: target.groupId })
    expectSuccess(await restore(trial, owner, body), 'a restore to the other project')
  }),

  'createServerlessRestoreJob.snapshot-must-be-completed': timed(async (trial) => {
    const place = await ownSnapshot(trial, 'serverless')
    const ofAnother = await ownSnapshot(trial, 'serverless')
    const sent = (snapshotId: string) => ({ ...restoreTo(place, 'automated'), snapshotId })
    for (const id of [unusedId(), ofAnother.snapshotId]) {
      const exchange = await restore(trial, place, sent(id))
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/snapshotId', 'the instance has no snapshot with this ID')
    }
    const { groupId, clusterName } = place
    const begun = await trial.context.prerequisites.arrange('backups/snapshots', { groupId, clusterName })
    const exchange = await restore(trial, place, sent(idIn(begun)))
    expectError(exchange, 'INVALID_STATE', 'the snapshot is still in progress')
    expectSuccess(await restore(trial, place, sent(place.snapshotId)), 'a restore of the completed snapshot')
  }),

  'createServerlessRestoreJob.target-must-be-serverless': ownResourceRule(async (trial) => {
    const within = await ownProject(trial.context)
    const place = await ownSnapshot(trial, 'serverless', {}, within)
    const to = (targetClusterName: string) => ({ ...restoreTo(place, 'automated'), targetClusterName })
    for (const kind of ['replicaSet', 'shardedCluster'] as const) {
      const target = await ownCluster(trial.context, kinds[kind], within)
      const exchange = await restore(trial, place, to(target.clusterName))
      expectNamed(
        exchange,
        'RESOURCE_NOT_FOUND',
        '/targetClusterName',
        'the target is not a serverless instance or flex cluster',
      )
    }
    const flex = await ownCluster(trial.context, kinds.flex, within)
    expectSuccess(await restore(trial, place, to(flex.clusterName)), 'a restore to a flex cluster')
  }),

  'getServerlessRestoreJob.answers-with-serverless-restore-job': always((trial) =>
    expectFound(trial, 'restoreJobId'),
  ),

  'getServerlessRestoreJob.no-cluster-members': timed(async (trial) => {
    const place = await begin(trial, await ownSnapshot(trial, 'serverless'), 'download')
    const running = await servedAt(trial, place)
    await passUntilFinished(trial)
    for (const job of [running, await servedAt(trial, place)]) {
      expectField(job, 'components', undefined)
      expectField(job, 'privateDownloadDeliveryUrls', undefined)
    }
  }),

  'listServerlessRestoreJobs.lists-the-instance': instanceKinds.map((kind) =>
    ownResourceRule(
      async (trial) => {
        const place = await instanceSnapshot(trial, kind)
        const jobs = [await begin(trial, place, 'automated'), await begin(trial, place, 'download')]
        await begin(trial, await instanceSnapshot(trial, kind), 'automated')
        expectExactly(
          await servedAt(trial, place),
          jobs.map(({ parameters }) => parameters.restoreJobId ?? ''),
        )
      },
      { label: labelFor(kind) },
    ),
  ),

  'getServerlessSnapshot.answers-with-serverless-snapshot': [
    always((trial) => expectFound(trial, 'snapshotId')),
    ...instanceKinds.map((kind) =>
      ownResourceRule(
        async (trial) => {
          const place = await instanceSnapshot(trial, kind)
          const found = await servedAt(trial, place)
          expectField(found, 'id', place.snapshotId)
          expectField(found, 'serverlessInstanceName', place.clusterName)
        },
        { label: labelFor(kind, 'created snapshot') },
      ),
    ),
  ],
})
