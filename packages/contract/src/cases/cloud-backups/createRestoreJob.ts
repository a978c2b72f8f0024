import { limits } from '@svc-admin/types'
import { forEach, ownResourceRule, type Rule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type JsonObject, numberAt } from '../../document/json.ts'
import type { ClusterKind } from '../../given/clusters.ts'
import { expectAt, expectError, expectSuccess } from '../../model/expect.ts'
import { asHolder, childPath, expectNamed, idIn, readAt } from '../../resources/backups.ts'
import { expectBound } from '../../resources/bounds.ts'
import { expectSameComponents } from '../../resources/earlier-response.ts'
import { ownCluster, ownProject, sendRequest, unusedId, unusedName } from '../../resources/own-resources.ts'
import {
  type DeliveryType,
  deliveryTypes,
  type Restorable,
  restorable,
  restoreOf,
  timestampFields,
} from '../../resources/restore-jobs.ts'
import {
  type OwnSnapshot,
  ofEachCluster,
  ofEachClusterWith,
  ownSnapshot,
  takeSnapshot,
} from '../../resources/snapshots.ts'
import {
  expectContains,
  expectText,
  refused,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

/** Expects the server to reject a body without a required field. The error must name the field. */
const needs = (deliveryType: DeliveryType, fields: readonly string[]): readonly Rule[] =>
  ofEachClusterWith(
    fields,
    (field) => field,
    async (trial, field, kind) => {
      const place = await restorable(trial, deliveryType, kind)
      const exchange = await sendRequest(trial, place, {
        body: without(restoreOf(place, deliveryType), field),
      })
      expectNamed(exchange, 'VALIDATION_ERROR', `/${field}`, `${deliveryType} needs ${field}`)
    },
  )

const targetFields = ['targetClusterName', 'targetGroupId'] as const

/** Replaces the fields that specify the time of a point-in-time restore. */
const atTime = ({ pointInTimeUTCSeconds: _, ...restore }: JsonObject, fields: JsonObject): JsonObject => ({
  ...restore,
  ...fields,
})

/** The fields that specify the time of a point-in-time restore. */
type TimeOf = (place: Restorable) => JsonObject

const rejectedTime = async (trial: Trial, timeOf: TimeOf, why: string, kind?: ClusterKind): Promise<void> => {
  const place = await restorable(trial, 'pointInTime', kind)
  const body = atTime(restoreOf(place, 'pointInTime'), timeOf(place))
  const exchange = await sendRequest(trial, place, { body })
  refused(exchange, why)
  expectAt(exchange, timestampFields)
}

/** Expects the server to accept a time in which one field has its minimum. */
const acceptedTime = async (trial: Trial, name: string, timeOf: TimeOf, kind: ClusterKind): Promise<void> => {
  const place = await ownSnapshot(trial, kind)
  const fields = timeOf(place)
  const send = (time: JsonObject) =>
    sendRequest(trial, place, { body: atTime(restoreOf(place, 'pointInTime'), time) })
  await expectBound(await send(fields), `a success for ${JSON.stringify(fields)}`, {
    at: `/${name}`,
    sendNext: () => send({ ...fields, [name]: (numberAt(fields, name) ?? 0) + 1 }),
  })
}

const earliest = limits.epochSeconds.minimum
const first = limits.oplogInc.minimum

const epochFields = ['oplogTs', 'pointInTimeUTCSeconds'] as const

const timeIn = (name: (typeof epochFields)[number], seconds: number): JsonObject => ({
  [name]: seconds,
  ...(name === 'oplogTs' && { oplogInc: first }),
})

/** One valid body for each kind of restore. Each kind requires different fields. */
const forms: Readonly<Record<string, (place: OwnSnapshot) => JsonObject>> = {
  automated: (place) => restoreOf(place, 'automated'),
  download: (place) => ({ deliveryType: 'download', snapshotId: place.snapshotId }),
  pointInTime: (place) => restoreOf(place, 'pointInTime'),
  'pointInTime with oplogTs': (place) =>
    atTime(restoreOf(place, 'pointInTime'), { oplogTs: place.pointInTime, oplogInc: first }),
}

const returnsJob = async (trial: Trial, place: OwnSnapshot, sent: JsonObject): Promise<void> => {
  const created = successfulResponse(await sendRequest(trial, place, { body: sent }))
  expectContains(created.exchange, created.body, sent)
  expectText(created, 'id')
  const found = await readAt(trial, childPath(place, { restoreJobId: idIn(created.body) }), 'getRestoreJob')
  expectContains(found.exchange, found.body, { ...sent, id: idIn(created.body) })
  expectSameComponents(trial.cell, created, found)
}

export default rules({
  'createRestoreJob.answers-with-restore-job': ofEachClusterWith(
    Object.entries(forms),
    ([name]) => name,
    async (trial, [, form], kind) => {
      const place = await ownSnapshot(trial, kind)
      await returnsJob(trial, place, form(place))
    },
  ),

  'createRestoreJob.delivery-types': [
    ...ofEachClusterWith(
      deliveryTypes,
      (type) => type,
      async (trial, deliveryType, kind) => {
        const place = await ownSnapshot(trial, kind)
        const { exchange, body } = successfulResponse(
          await sendRequest(trial, place, { body: restoreOf(place, deliveryType) }),
        )
        expectContains(exchange, body, { deliveryType })
      },
    ),
    ...ofEachClusterWith(
      ['courier', 'AUTOMATED', ''],
      (type) => `invalid ${JSON.stringify(type)}`,
      async (trial, deliveryType, kind) => {
        const place = await restorable(trial, 'automated', kind)
        const exchange = await sendRequest(trial, place, {
          body: { ...restoreOf(place, 'automated'), deliveryType },
        })
        refused(exchange, 'it is not a supported delivery type')
        expectAt(exchange, ['/deliveryType'])
      },
    ),
    ...needs('automated', ['deliveryType']),
  ],

  'createRestoreJob.automated-needs-target': needs('automated', targetFields),

  'createRestoreJob.point-in-time-needs-target': needs('pointInTime', targetFields),

  'createRestoreJob.download-needs-no-target': ofEachCluster(async (trial, kind) => {
    const place = await ownSnapshot(trial, kind)
    const body = { deliveryType: 'download', snapshotId: place.snapshotId }
    expectSuccess(await sendRequest(trial, place, { body }), 'a download without a target')
  }),

  'createRestoreJob.automated-needs-snapshot': needs('automated', ['snapshotId']),

  'createRestoreJob.download-needs-snapshot': needs('download', ['snapshotId']),

  'createRestoreJob.point-in-time-needs-moment': ownResourceRule((trial) =>
    rejectedTime(trial, () => ({}), 'the body has no point in time'),
  ),

  'createRestoreJob.point-in-time-one-moment': ownResourceRule((trial) =>
    rejectedTime(
      trial,
      ({ pointInTime }) => ({ pointInTimeUTCSeconds: pointInTime, oplogTs: pointInTime, oplogInc: first }),
      'the body has two points in time',
    ),
  ),

  'createRestoreJob.oplog-members-together': forEach(
    () => ['oplogTs', 'oplogInc'] as const,
    (field) => `only ${field}`,
    (trial, field) =>
      rejectedTime(
        trial,
        ({ pointInTime }) => (field === 'oplogTs' ? { oplogTs: pointInTime } : { oplogInc: first }),
        'oplogTs and oplogInc must be sent together',
      ),
  ),

  'createRestoreJob.oplog-inc-from-1': [
    ...ofEachCluster(
      (trial, kind) =>
        acceptedTime(
          trial,
          'oplogInc',
          ({ pointInTime }) => ({ oplogTs: pointInTime, oplogInc: first }),
          kind,
        ),
      { label: 'accepted' },
    ),
    ...ofEachCluster(
      (trial, kind) =>
        rejectedTime(
          trial,
          ({ pointInTime }) => ({ oplogTs: pointInTime, oplogInc: first - 1 }),
          'the value is below the minimum',
          kind,
        ),
      { label: 'rejected' },
    ),
  ],

  'createRestoreJob.epoch-seconds-bound': [
    ...ofEachClusterWith(
      epochFields,
      (name) => name,
      (trial, name, kind) => acceptedTime(trial, name, () => timeIn(name, earliest), kind),
    ),
    ...ofEachClusterWith(
      epochFields,
      (name) => `${name} below`,
      (trial, name, kind) =>
        rejectedTime(trial, () => timeIn(name, earliest - 1), 'the time is below the minimum', kind),
    ),
  ],

  'createRestoreJob.snapshot-must-exist': ownResourceRule(async (trial) => {
    const place = await ownSnapshot(trial)
    const ofAnother = await ownSnapshot(trial)
    for (const snapshotId of [unusedId(), ofAnother.snapshotId]) {
      const exchange = await sendRequest(trial, place, {
        body: { ...restoreOf(place, 'automated'), snapshotId },
      })
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/snapshotId', 'the cluster has no snapshot with this ID')
    }
  }),

  'createRestoreJob.snapshot-must-be-completed': timed(async (trial) => {
    const newSnapshot = await takeSnapshot(trial, await ownCluster(trial.context))
    for (const type of ['automated', 'download'] as const) {
      const exchange = await sendRequest(trial, newSnapshot, { body: restoreOf(newSnapshot, type) })
      expectError(exchange, 'INVALID_STATE', 'the snapshot is still in progress')
    }
    const failed = await ownSnapshot(trial, 'replicaSet', { status: 'failed' })
    const exchange = await sendRequest(trial, failed, { body: restoreOf(failed, 'automated') })
    expectError(exchange, 'INVALID_STATE', 'the snapshot has failed')
  }),

  'createRestoreJob.target-must-exist': ownResourceRule(async (trial) => {
    const project = await ownProject(trial.context)
    const place = await ownSnapshot(trial, 'replicaSet', {}, project)
    const elsewhere = await ownCluster(trial.context, {}, await ownProject(trial.context))
    const manager = await asHolder(trial, place, { role: 'PROJECT_BACKUP_MANAGER', groupId: place.groupId })
    for (const target of [
      { targetClusterName: unusedName() },
      { targetClusterName: elsewhere.clusterName },
      { targetGroupId: unusedId() },
      { targetGroupId: elsewhere.groupId, targetClusterName: elsewhere.clusterName },
    ]) {
      const exchange = await sendRequest(trial, manager, {
        body: { ...restoreOf(place, 'automated'), ...target },
      })
      expectError(
        exchange,
        'RESOURCE_NOT_FOUND',
        'the target does not exist or the caller has no role in its project',
      )
    }
    expectSuccess(await sendRequest(trial, manager, { body: restoreOf(place, 'automated') }))
  }),

  'createRestoreJob.target-needs-role': ownResourceRule(async (trial) => {
    const place = await ownSnapshot(trial, 'replicaSet', {}, await ownProject(trial.context))
    const target = await ownCluster(trial.context, {}, await ownProject(trial.context))
    const body = {
      ...restoreOf(place, 'automated'),
      targetGroupId: target.groupId,
      targetClusterName: target.clusterName,
    }
    const here = { role: 'PROJECT_BACKUP_MANAGER', groupId: place.groupId } as const
    const reader = await asHolder(trial, place, here, { role: 'PROJECT_READ_ONLY', groupId: target.groupId })
    const exchange = await sendRequest(trial, reader, { body })
    expectError(exchange, 'INSUFFICIENT_ROLE', 'the caller has only read access in the target project')
    const manager = await asHolder(trial, place, here, {
      role: 'PROJECT_BACKUP_MANAGER',
      groupId: target.groupId,
    })
    expectSuccess(await sendRequest(trial, manager, { body }), 'a restore to the other project')
  }),
})
