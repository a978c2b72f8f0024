import { always, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { JsonObject } from '../../document/json.ts'
import { inspect, listAt, objectAt } from '../../document/json.ts'
import type { ClusterKind } from '../../given/clusters.ts'
import { unfinished } from '../../given/copies.ts'
import { expectError, expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  childPath,
  expectExactly,
  expectFound,
  expectShards,
  idIn,
  pass,
  prepared,
  sendInAnyVersion,
  timestamp,
  timestampAt,
} from '../../resources/backups.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import {
  type DeliveryType,
  expectFlags,
  ownRestoreJob,
  passUntilFinished,
  readRestoreJob,
  restoreOf,
  seedRestoreJob,
} from '../../resources/restore-jobs.ts'
import {
  ofEachCluster,
  ofEachClusterWith,
  ownSnapshot,
  timedOfEachCluster,
} from '../../resources/snapshots.ts'
import {
  expectContains,
  expectField,
  expectText,
  fieldOf,
  successfulResponse,
} from '../../resources/successful-response.ts'

const minute = 60

/** Seeds for jobs that have already ended, one for each outcome. */
const over: Readonly<Record<string, JsonObject>> = {
  finished: {},
  cancelled: { finishedAt: null, cancelled: true },
  failed: { finishedAt: null, failed: true },
  expired: { deliveryType: 'download', expired: true },
}

/** Creates a job that can be canceled. Other implementations may finish jobs immediately. */
const unfinishedJob = async (trial: Trial, kind: ClusterKind, deliveryType?: DeliveryType) => {
  const place = await ownRestoreJob(trial, deliveryType, kind)
  const { body } = await readRestoreJob(trial, place)
  if (fieldOf(body, 'finishedAt') !== undefined) throw new Untestable(unfinished)
  return place
}

export default rules({
  'restore-job.running': timedOfEachCluster(async (trial, kind) => {
    const place = await ownSnapshot(trial, kind)
    const body = restoreOf(place, 'automated')
    const created = successfulResponse(await sendInAnyVersion(trial, place, 'createRestoreJob', { body }))
    const found = await readRestoreJob(trial, childPath(place, { restoreJobId: idIn(created.body) }))
    for (const job of [created, found]) {
      expectField(job, 'finishedAt', undefined)
      expectFlags(job)
    }
  }),

  'restore-job.finished': timedOfEachCluster(async (trial, kind) => {
    const place = await ownRestoreJob(trial, 'automated', kind)
    await passUntilFinished(trial)
    const job = await readRestoreJob(trial, place)
    expectText(job, 'finishedAt')
    expectFlags(job)
  }),

  'restore-job.download-delivered': timedOfEachCluster(async (trial, kind) => {
    const place = await ownRestoreJob(trial, 'download', kind)
    await passUntilFinished(trial)
    const job = await readRestoreJob(trial, place)
    const urls = listAt(job.body, 'deliveryUrl')
    const right = urls.length > 0 && urls.every((url) => typeof url === 'string' && URL.canParse(url))
    expectThat(right, {
      expected: 'a deliveryUrl with at least one URL',
      actual: inspect(fieldOf(job.body, 'deliveryUrl')),
      exchange: job.exchange,
    })
    const expiresAt = timestampAt(job.body, 'expiresAt')
    expectThat(expiresAt > timestampAt(job.body, 'finishedAt'), {
      expected: 'an expiresAt after finishedAt',
      actual: inspect(fieldOf(job.body, 'expiresAt')),
      exchange: job.exchange,
    })
  }),

  'restore-job.expired': timedOfEachCluster(async (trial, kind) => {
    const place = await ownRestoreJob(trial, 'download', kind)
    await passUntilFinished(trial)
    const { body } = await readRestoreJob(trial, place)
    const left = (timestampAt(body, 'expiresAt') - (await trial.context.prerequisites.now())) / 1000
    if (!(left > minute)) throw new Untestable('a download that expires after more than a minute')
    await pass(trial, Math.floor(left - minute))
    expectFlags(await readRestoreJob(trial, place))
    await pass(trial, minute + 1)
    expectFlags(await readRestoreJob(trial, place), { expired: true })
  }),

  'restore-job.only-downloads-delivered': timedOfEachCluster(async (trial, kind) => {
    const places = [
      await ownRestoreJob(trial, 'automated', kind),
      await ownRestoreJob(trial, 'pointInTime', kind),
    ]
    await passUntilFinished(trial)
    for (const place of places) {
      const job = await readRestoreJob(trial, place)
      expectText(job, 'finishedAt')
      expectField(job, 'deliveryUrl', undefined)
      expectField(job, 'expiresAt', undefined)
    }
  }),

  'getRestoreJob.answers-with-restore-job': always((trial) => expectFound(trial, 'restoreJobId')),

  'getRestoreJob.desired-timestamp': ownResourceRule(async (trial) => {
    const place = await ownRestoreJob(trial, 'pointInTime')
    const { body, exchange } = await readRestoreJob(trial, place)
    const desired = objectAt(body, 'desiredTimestamp')
    expectThat(timestampAt(desired, 'date') === place.pointInTime * 1000, {
      expected: `desiredTimestamp with the date ${timestamp(place.pointInTime * 1000)}`,
      actual: inspect(desired),
      exchange,
    })
  }),

  'getRestoreJob.components': ownResourceRule(async (trial) => {
    const place = await ownRestoreJob(trial, 'automated', 'shardedCluster')
    expectShards(await readRestoreJob(trial, place))
  }),

  'getRestoreJob.private-downloads': ownResourceRule(async (trial) => {
    const deliveryUrl = 'https://restore-private.svc.example/orders-eu.tar.gz'
    const privateDownloadDeliveryUrls = [{ deliveryUrl, endpointId: 'vpce-0a1b2c3d4e5f60718' }]
    const download = { deliveryType: 'download', privateDownloadDeliveryUrls }
    const job = await readRestoreJob(trial, await seedRestoreJob(trial, download))
    expectContains(job.exchange, job.body, { privateDownloadDeliveryUrls })
  }),

  'cancelRestoreJob.cancels': timedOfEachCluster(async (trial, kind) => {
    const places = [await unfinishedJob(trial, kind), await unfinishedJob(trial, kind, 'download')]
    for (const place of places) expectSuccess(await sendRequest(trial, place))
    // A separate requirement checks that the canceled job can still be read.
    const expectCanceled = async (): Promise<void> => {
      for (const place of places) {
        const found = await sendInAnyVersion(trial, place, 'getRestoreJob')
        if (found.response.status < 400) expectField(successfulResponse(found), 'cancelled', true)
      }
    }
    await expectCanceled()
    await passUntilFinished(trial)
    await expectCanceled()
  }),

  'cancelRestoreJob.still-found': timedOfEachCluster(async (trial, kind) => {
    const place = await unfinishedJob(trial, kind)
    expectSuccess(await sendRequest(trial, place))
    expectFlags(await readRestoreJob(trial, place), { cancelled: true })
    await passUntilFinished(trial)
    const later = await readRestoreJob(trial, place)
    expectFlags(later, { cancelled: true })
    expectField(later, 'finishedAt', undefined)
  }),

  'cancelRestoreJob.ended-refused': [
    ...ofEachClusterWith(
      Object.entries(over),
      ([state]) => state,
      async (trial, [state, differs], kind) => {
        const place = await seedRestoreJob(trial, differs, kind)
        const before = await readRestoreJob(trial, place)
        expectError(await sendRequest(trial, place), 'INVALID_STATE', `the job is ${state}`)
        const after = await readRestoreJob(trial, place)
        expectField(after, 'cancelled', fieldOf(before.body, 'cancelled'))
      },
    ),
    ...ofEachCluster(
      async (trial, kind) => {
        const place = await unfinishedJob(trial, kind)
        expectSuccess(await sendRequest(trial, place))
        expectError(await sendRequest(trial, place), 'INVALID_STATE', 'the job was already canceled')
      },
      { label: 'twice' },
    ),
    ...timedOfEachCluster(
      async (trial, kind) => {
        const place = await ownRestoreJob(trial, 'automated', kind)
        await passUntilFinished(trial)
        expectError(await sendRequest(trial, place), 'INVALID_STATE', 'the job has finished')
      },
      { label: 'after the job has finished' },
    ),
  ],

  'listRestoreJobs.lists-the-cluster': ofEachCluster(async (trial, kind) => {
    const place = await ownSnapshot(trial, kind)
    const jobs: string[] = []
    for (const type of ['automated', 'download'] as const) {
      const body = restoreOf(place, type)
      jobs.push(
        idIn(prepared(await sendInAnyVersion(trial, place, 'createRestoreJob', { body }), 'a restore job')),
      )
    }
    await ownRestoreJob(trial, 'automated', kind)
    expectExactly(successfulResponse(await sendRequest(trial, place)), jobs)
  }),
})
