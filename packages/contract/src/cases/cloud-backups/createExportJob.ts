import { withGenerated } from '../../check/generated.ts'
import { ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableText } from '../../document/arbitrary.ts'
import type { JsonObject } from '../../document/json.ts'
import type { ClusterKind } from '../../given/clusters.ts'
import { expectError, expectSuccess } from '../../model/expect.ts'
import {
  childPath,
  expectNamed,
  idIn,
  pass,
  prepared,
  projectOf,
  readAt,
  seedBucket,
} from '../../resources/backups.ts'
import { expectSameComponents } from '../../resources/earlier-response.ts'
import { exportable, ownExport, readExportJob } from '../../resources/export-jobs.ts'
import { ownProject, sendRequest, unusedId } from '../../resources/own-resources.ts'
import {
  ofEachCluster,
  ofEachClusterWith,
  ownSnapshot,
  takeSnapshot,
  timedOfEachCluster,
} from '../../resources/snapshots.ts'
import {
  accepted,
  expectContains,
  expectText,
  fieldOf,
  secondsIn,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

const customData = [
  { key: 'purpose', value: 'audit' },
  { key: 'owner', value: 'accounts' },
]

const withCustomData = async (trial: Trial, labels: readonly JsonObject[], kind?: ClusterKind) => {
  const { place, body } = await ownExport(trial, kind)
  return { place, exchange: await sendRequest(trial, place, { body: { ...body, customData: labels } }) }
}

const isFilled = ({ key, value }: JsonObject): boolean => key !== '' && value !== ''

/**
 * Expects the response and a later GET to return the labels. The specification doesn't describe the fields of labels, so
 * accepting empty keys and values is our decision.
 */
const keeps = async (trial: Trial, labels: readonly JsonObject[], kind?: ClusterKind): Promise<void> => {
  const strength = labels.every(isFilled) ? 'stated' : 'decided'
  const { place, exchange } = await withCustomData(trial, labels, kind)
  expectSuccess(exchange, `a success for ${JSON.stringify(labels)}`, strength)
  const created = successfulResponse(exchange)
  expectContains(exchange, fieldOf(created.body, 'customData'), labels, { strength })
  const found = await readAt(trial, childPath(place, { exportId: idIn(created.body) }), 'getExportJob')
  expectContains(found.exchange, fieldOf(found.body, 'customData'), labels, { strength })
}

const keepsWhenFinished = async (trial: Trial, kind: ClusterKind): Promise<void> => {
  const { place, exchange } = await withCustomData(trial, customData, kind)
  const exportId = idIn(prepared(exchange, 'an export job'))
  await pass(trial, secondsIn('export-job', 'Queued', 'InProgress'))
  const found = await readExportJob(trial, childPath(place, { exportId }))
  expectContains(found.exchange, fieldOf(found.body, 'customData'), customData)
}

const returnsJob = async (trial: Trial, kind: ClusterKind): Promise<void> => {
  const { place, body } = await ownExport(trial, kind)
  const sent = { ...body, customData }
  const created = successfulResponse(await sendRequest(trial, place, { body: sent }))
  expectContains(created.exchange, created.body, sent)
  for (const name of ['id', 'createdAt', 'state']) expectText(created, name)
  const found = await readAt(trial, childPath(place, { exportId: idIn(created.body) }), 'getExportJob')
  expectContains(found.exchange, found.body, { ...sent, id: idIn(created.body) })
  expectSameComponents(trial.cell, created, found)
}

export default rules({
  'createExportJob.answers-with-export-job': ofEachCluster(returnsJob),

  'createExportJob.both-ids-required': ofEachClusterWith(
    ['exportBucketId', 'snapshotId'],
    (field) => field,
    async (trial, field, kind) => {
      const { place, body } = await exportable(trial, kind)
      const exchange = await sendRequest(trial, place, { body: without(body, field) })
      expectNamed(exchange, 'VALIDATION_ERROR', `/${field}`, `${field} is missing`)
    },
  ),

  'createExportJob.custom-data-kept': [
    ...ofEachCluster((trial, kind) => keeps(trial, customData, kind)),
    ...timedOfEachCluster(keepsWhenFinished, { label: 'finished job' }),
    withGenerated((generate) => {
      const text = storableText(generate, 30)
      return generate.array(generate.record({ key: text, value: text }), { minLength: 1, maxLength: 3 })
    }, keeps),
  ],

  'createExportJob.custom-data-open': ownResourceRule(async (trial) => {
    const { exchange } = await withCustomData(trial, [{ key: 'purpose', value: 'audit', somethingElse: 1 }])
    accepted(exchange, 'an undocumented field in a label')
  }),

  'createExportJob.bucket-must-exist': ownResourceRule(async (trial) => {
    const { place, body } = await ownExport(trial)
    const ofAnother = await seedBucket(trial, await ownProject(trial.context))
    for (const exportBucketId of [unusedId(), ofAnother]) {
      const exchange = await sendRequest(trial, place, { body: { ...body, exportBucketId } })
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/exportBucketId', 'the project has no bucket with this ID')
    }
  }),

  'createExportJob.snapshot-must-exist': ownResourceRule(async (trial) => {
    const { place, body } = await ownExport(trial)
    const ofAnother = await ownSnapshot(trial, 'replicaSet', {}, projectOf(place))
    for (const snapshotId of [unusedId(), ofAnother.snapshotId]) {
      const exchange = await sendRequest(trial, place, { body: { ...body, snapshotId } })
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/snapshotId', 'the cluster has no snapshot with this ID')
    }
  }),

  'createExportJob.snapshot-must-be-completed': timed(async (trial) => {
    const { place, body } = await ownExport(trial)
    const { snapshotId } = await takeSnapshot(trial, place)
    const exchange = await sendRequest(trial, place, { body: { ...body, snapshotId } })
    expectError(exchange, 'INVALID_STATE', 'the snapshot is still in progress')
    const failed = await ownExport(trial, 'replicaSet', { status: 'failed' })
    const second = await sendRequest(trial, failed.place, { body: failed.body })
    expectError(second, 'INVALID_STATE', 'the snapshot has failed')
  }),
})
