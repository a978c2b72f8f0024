import { always, forEach, ownResourceRule, rules } from '../../check/rule.ts'
import { inspect, numberAt, objectAt } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import {
  childPath,
  expectExactly,
  expectFound,
  expectShards,
  idIn,
  pass,
  prepared,
  projectOf,
  sendInAnyVersion,
} from '../../resources/backups.ts'
import { ownExport, ownExportJob, readExportJob } from '../../resources/export-jobs.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import {
  type OwnSnapshot,
  ofEachCluster,
  ownSnapshot,
  timedOfEachCluster,
} from '../../resources/snapshots.ts'
import {
  expectContains,
  expectField,
  expectText,
  type SuccessfulResponse,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const whole = (value: number | undefined): value is number => value !== undefined && Number.isInteger(value)

/** Expects the number of exported collections to be consistent with the total number. */
const expectCounts = ({ body, exchange }: SuccessfulResponse, done: boolean): void => {
  const status = objectAt(body, 'exportStatus')
  const [exported, total] = [numberAt(status, 'exportedCollections'), numberAt(status, 'totalCollections')]
  const right =
    whole(exported) && whole(total) && exported >= 0 && (done ? exported === total : exported < total)
  expectThat(right, {
    expected: `exportStatus with ${done ? 'all' : 'not all'} collections exported`,
    actual: inspect(status),
    exchange,
  })
}

export default rules({
  'export-job.queued-first': timedOfEachCluster(async (trial, kind) => {
    const { place, body } = await ownExport(trial, kind)
    const created = successfulResponse(await sendInAnyVersion(trial, place, 'createExportJob', { body }))
    expectField(created, 'state', 'Queued')
    const found = await readExportJob(trial, childPath(place, { exportId: idIn(created.body) }))
    expectField(found, 'state', 'Queued')
  }),

  'export-job.in-progress-next': timedOfEachCluster(async (trial, kind) => {
    const place = await ownExportJob(trial, kind)
    await pass(trial, secondsIn('export-job', 'Queued'))
    expectField(await readExportJob(trial, place), 'state', 'InProgress')
  }),

  'export-job.successful-at-last': timedOfEachCluster(async (trial, kind) => {
    const place = await ownExportJob(trial, kind)
    await pass(trial, secondsIn('export-job', 'Queued', 'InProgress'))
    const job = await readExportJob(trial, place)
    expectField(job, 'state', 'Successful')
    expectText(job, 'finishedAt')
    expectText(job, 'prefix')
  }),

  'getExportJob.answers-with-export-job': always((trial) => expectFound(trial, 'exportId')),

  'getExportJob.progress': timedOfEachCluster(async (trial, kind) => {
    const place = await ownExportJob(trial, kind)
    expectCounts(await readExportJob(trial, place), false)
    await pass(trial, secondsIn('export-job', 'Queued', 'InProgress'))
    expectCounts(await readExportJob(trial, place), true)
  }),

  'getExportJob.reason': forEach(
    () =>
      [
        ['fail', 'Failed'],
        ['cancel', 'Cancelled'],
      ] as const,
    ([, state]) => state,
    async (trial, [action, state]) => {
      const { groupId, clusterName, exportId, ...place } = await ownExportJob(trial)
      const why = { errorCode: 'CLUSTER_PAUSED', message: 'The cluster was paused.' }
      await trial.context.prerequisites.arrange(`backups/exports/${action}`, {
        groupId,
        clusterName,
        exportId,
        ...why,
      })
      const job = await readExportJob(trial, { ...place, groupId, clusterName })
      expectContains(job.exchange, job.body, { state, stateReason: why })
    },
    { phase: 'alone' },
  ),

  'getExportJob.components': ownResourceRule(async (trial) => {
    expectShards(await readExportJob(trial, await ownExportJob(trial, 'shardedCluster')))
  }),

  'listExportJobs.lists-the-cluster': ofEachCluster(async (trial, kind) => {
    const { place, body } = await ownExport(trial, kind)
    const other = await ownSnapshot(trial, kind, {}, projectOf(place))
    const begin = async (where: OwnSnapshot): Promise<string> => {
      const sent = { ...body, snapshotId: where.snapshotId }
      return idIn(
        prepared(await sendInAnyVersion(trial, where, 'createExportJob', { body: sent }), 'an export job'),
      )
    }
    const jobs = [await begin(place), await begin(place)]
    await begin(other)
    expectExactly(successfulResponse(await sendRequest(trial, place)), jobs)
  }),
})
