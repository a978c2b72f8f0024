import { keepableText } from '../../document/arbitrary.ts'
import type { JsonObject } from '../../document/json.ts'
import { expectError } from '../../engine/expect.ts'
import { withGenerated } from '../../engine/generated.ts'
import { forEach, own, rules, timed } from '../../engine/rule.ts'
import type { Trial } from '../../engine/trial.ts'
import { answered, expectContains, expectText, fieldOf, taken, without } from '../../given/answered.ts'
import { below, expectNamed, idIn, look, projectOf, seedBucket } from '../../given/backups.ts'
import { exportable, ownExport } from '../../given/export-jobs.ts'
import { ask, nobodysId, ownProject } from '../../given/own-places.ts'
import { ownSnapshot, takeSnapshot } from '../../given/snapshots.ts'

const customData = [
  { key: 'purpose', value: 'audit' },
  { key: 'owner', value: 'accounts' },
]

const withCustomData = async (trial: Trial, labels: readonly JsonObject[]) => {
  const { place, body } = await ownExport(trial)
  return { place, exchange: await ask(trial, place, { body: { ...body, customData: labels } }) }
}

/** The labels are answered, and are returned the same afterwards. */
const keeps = async (trial: Trial, labels: readonly JsonObject[]): Promise<void> => {
  const { place, exchange } = await withCustomData(trial, labels)
  const created = answered(exchange)
  expectContains(created.exchange, fieldOf(created.body, 'customData'), labels)
  const found = await look(trial, below(place, { exportId: idIn(created.body) }), 'getExportJob')
  expectContains(found.exchange, fieldOf(found.body, 'customData'), labels)
}

export default rules({
  /** The job is answered with what was sent, createdAt, id, links and state. */
  'createExportJob.answers-with-export-job': own(async (trial) => {
    const { place, body } = await ownExport(trial)
    const sent = { ...body, customData }
    const created = answered(await ask(trial, place, { body: sent }))
    expectContains(created.exchange, created.body, sent)
    for (const name of ['id', 'createdAt', 'state']) expectText(created, name)
    const found = await look(trial, below(place, { exportId: idIn(created.body) }), 'getExportJob')
    expectContains(found.exchange, found.body, { ...sent, id: idIn(created.body) })
  }),

  /** A body without exportBucketId or snapshotId is refused. */
  'createExportJob.both-ids-required': forEach(
    () => ['exportBucketId', 'snapshotId'] as const,
    (field) => field,
    async (trial, field) => {
      const { place, body } = await exportable(trial)
      const exchange = await ask(trial, place, { body: without(body, field) })
      expectNamed(exchange, 'VALIDATION_ERROR', `/${field}`, `${field} is missing`)
    },
  ),

  /** The customData that was sent is answered and returned. */
  'createExportJob.custom-data-kept': [
    own((trial) => keeps(trial, customData)),
    withGenerated((generate) => {
      const text = keepableText(generate, 30)
      return generate.array(generate.record({ key: text, value: text }), { minLength: 1, maxLength: 3 })
    }, keeps),
  ],

  /** Members of a label that the source does not show are taken. */
  'createExportJob.custom-data-open': own(async (trial) => {
    const { exchange } = await withCustomData(trial, [{ key: 'purpose', value: 'audit', somethingElse: 1 }])
    taken(exchange, 'another member of a label')
  }),

  /** An exportBucketId that is no bucket of the project is answered with 404 RESOURCE_NOT_FOUND that names it. */
  'createExportJob.bucket-must-exist': own(async (trial) => {
    const { place, body } = await ownExport(trial)
    const ofAnother = await seedBucket(trial, await ownProject(trial.world))
    for (const exportBucketId of [nobodysId(), ofAnother]) {
      const exchange = await ask(trial, place, { body: { ...body, exportBucketId } })
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/exportBucketId', 'the project has no such bucket')
    }
  }),

  /** A snapshotId that is no snapshot of the cluster is answered with 404 RESOURCE_NOT_FOUND that names it. */
  'createExportJob.snapshot-must-exist': own(async (trial) => {
    const { place, body } = await ownExport(trial)
    const ofAnother = await ownSnapshot(trial, 'replicaSet', {}, projectOf(place))
    for (const snapshotId of [nobodysId(), ofAnother.snapshotId]) {
      const exchange = await ask(trial, place, { body: { ...body, snapshotId } })
      expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/snapshotId', 'the cluster has no such snapshot')
    }
  }),

  /** A snapshot that is not completed is answered with 409 INVALID_STATE. */
  'createExportJob.snapshot-must-be-completed': timed(async (trial) => {
    const { place, body } = await ownExport(trial)
    const { snapshotId } = await takeSnapshot(trial, place)
    const exchange = await ask(trial, place, { body: { ...body, snapshotId } })
    expectError(exchange, 'INVALID_STATE', 'the snapshot is being taken')
    const failed = await ownExport(trial, 'replicaSet', { status: 'failed' })
    const second = await ask(trial, failed.place, { body: failed.body })
    expectError(second, 'INVALID_STATE', 'the snapshot is failed')
  }),
})
