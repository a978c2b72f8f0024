import { limits, states } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableText } from '../../document/arbitrary.ts'
import { inspect, listAt, stringAt } from '../../document/json.ts'
import { type ClusterKind, kinds } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  bodyOf,
  expectError,
  expectRefused,
  expectSuccess,
  expectThat,
  isRefusal,
  isSuccess,
} from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { item, ownSchedule, policies, readSchedule } from '../../resources/backup-schedules.ts'
import {
  childPath,
  days,
  expectNotShorter,
  expectRetained,
  idIn,
  pass,
  readAt,
  sendInAnyVersion,
  timestampAt,
} from '../../resources/backups.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { type OwnCluster, type OwnProject, ownCluster, sendRequest } from '../../resources/own-resources.ts'
import { simultaneousSuccesses } from '../../resources/simultaneous-requests.ts'
import {
  ofEachCluster,
  operationsOf,
  ownSnapshot,
  passUntilCompleted,
  rejectedAt,
  snapshotRequest,
  supported,
  takeSnapshot,
  timedOfEachCluster,
} from '../../resources/snapshots.ts'
import {
  expectContains,
  expectField,
  expectText,
  fieldOf,
  type SuccessfulResponse,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

/** According to the specification, a snapshot in one of these states blocks other snapshots of the same cluster. */
const blocking: readonly string[] = states.snapshot.shown

/** Reads a snapshot. */
const read = async (trial: Trial, place: OwnCluster, kind: ClusterKind): Promise<SuccessfulResponse> =>
  supported(await sendInAnyVersion(trial, place, operationsOf(kind).found), kind)

/**
 * Requests a second snapshot while the first one is queued, and then while it is in progress. The check ignores a
 * successful response if the first snapshot is no longer in one of these states, because the snapshot may have
 * completed in the meantime.
 */
const whileInProgress = async (
  trial: Trial,
  kind: ClusterKind,
  look: (exchange: Exchange) => void,
): Promise<void> => {
  const place = await ownCluster(trial.context, kinds[kind])
  const first = await takeSnapshot(trial, place)
  const isBlocking = async (): Promise<boolean> =>
    blocking.includes(stringAt((await read(trial, first, kind)).body, 'status') ?? '')
  let looks = 0
  const again = async (): Promise<void> => {
    if (!(await isBlocking())) return
    const exchange = await sendRequest(trial, place, { body: snapshotRequest })
    if (isSuccess(exchange) && !(await isBlocking())) return
    look(exchange)
    looks += 1
  }
  await again()
  await pass(trial, secondsIn('snapshot', 'queued'))
  await again()
  if (looks === 0) throw new Untestable('a snapshot that stays queued or in progress for a while')
}

/**
 * Requests several snapshots at the same time. If two of them are queued or in progress afterwards, the server took the
 * second one too early. Snapshots that are already completed don't count.
 */
const atTheSameTime = async (trial: Trial, kind: ClusterKind): Promise<void> => {
  const place = await ownCluster(trial.context, kinds[kind])
  const successes = await simultaneousSuccesses(
    () => sendInAnyVersion(trial, place, operationsOf(kind).listed),
    () => sendRequest(trial, place, { body: snapshotRequest }),
  )
  const taken = new Map(successes.map((exchange) => [idIn(bodyOf(exchange)), exchange]))
  const unfinished: Exchange[] = []
  for (const [snapshotId, exchange] of taken) {
    const found = await read(trial, childPath(place, { snapshotId }), kind)
    if (blocking.includes(stringAt(found.body, 'status') ?? '')) unfinished.push(exchange)
  }
  const [, second] = unfinished
  expectThat(second === undefined, {
    expected: 'at most one success for requests at the same time',
    actual: `${unfinished.length} snapshots that are queued or in progress`,
    ...(second && { exchange: second }),
  })
}

const take = (trial: Trial, place: OwnProject, retentionInDays: number): Promise<Exchange> =>
  sendRequest(trial, place, { body: { retentionInDays } })

const { minimum } = limits.retentionInDays

/** Retention periods in ascending order. Two of the periods exceed ten years, because a server may cap long periods. */
const periods = [minimum, minimum + 1, 366, 3_660, 36_600]

/** Calculates the number of milliseconds until a new snapshot expires. */
const retained = (response: SuccessfulResponse) => {
  // Including `expiresAt` in responses is our decision, not a rule in the specification.
  if (fieldOf(response.body, 'expiresAt') === undefined) throw new Untestable('a snapshot with `expiresAt`')
  const { body } = response
  return { ...response, duration: timestampAt(body, 'expiresAt') - timestampAt(body, 'createdAt') }
}

/** Expects a snapshot with a longer retention period to expire later. A server may reject long periods. */
const expectInEffect = async (trial: Trial, kind: ClusterKind): Promise<void> => {
  let before = { period: 0, duration: 0 }
  for (const period of periods) {
    const taken = await take(trial, await ownCluster(trial.context, kinds[kind]), period)
    if (period > minimum + 1 && isRefusal(taken.response)) return
    const { duration, body, exchange } = retained(supported(taken, kind))
    expectThat(duration > before.duration, {
      expected: `a snapshot that expires later with retentionInDays ${period} than with ${before.period}`,
      actual: `${inspect(fieldOf(body, 'createdAt'))} to ${inspect(fieldOf(body, 'expiresAt'))}`,
      exchange,
    })
    before = { period, duration }
  }
}

/** The number of seconds before the end of a retention period at which the snapshot must still exist. */
const margin = 120

/** Expects a snapshot to exist until shortly before the end of its retention period. */
const staysUntilThen = async (trial: Trial, kind: ClusterKind): Promise<void> => {
  const place = await ownCluster(trial.context, kinds[kind])
  const { body } = supported(await take(trial, place, minimum), kind)
  await pass(trial, days(minimum) / 1000 - margin)
  const { found } = operationsOf(kind)
  const later = await sendInAnyVersion(trial, childPath(place, { snapshotId: idIn(body) }), found)
  expectSuccess(later, `the snapshot ${margin} seconds before the end of its retention period`)
}

const describes = async (trial: Trial, description: string, kind: ClusterKind): Promise<void> => {
  const place = await ownCluster(trial.context, kinds[kind])
  const body = { description, retentionInDays: 3 }
  const newSnapshot = supported(await sendRequest(trial, place, { body }), kind)
  expectContains(newSnapshot.exchange, newSnapshot.body, { description })
  expectText(newSnapshot, 'status')
  expectText(newSnapshot, 'id')
  const id = idIn(newSnapshot.body)
  const found = await read(trial, childPath(place, { snapshotId: id }), kind)
  expectContains(found.exchange, found.body, { description, id })
  for (const snapshot of [newSnapshot, found]) expectField(snapshot, 'snapshotType', 'onDemand', 'decided')
}

export default rules({
  'takeSnapshot.answers-with-replica-set-snapshot': [
    ...ofEachCluster((trial, kind) => describes(trial, `Before the release (${trial.context.runTag})`, kind)),
    withGenerated(
      (generate) => storableText(generate, 60),
      (trial, description) => describes(trial, description, 'replicaSet'),
    ),
  ],

  'takeSnapshot.retention-from-1': [
    ownResourceRule(
      async (trial) => {
        const place = await ownCluster(trial.context)
        expectSuccess(await take(trial, place, minimum))
      },
      { label: 'accepted' },
    ),
    ...ofEachCluster(
      async (trial, kind) => {
        const exchange = await take(trial, await ownCluster(trial.context, kinds[kind]), minimum - 1)
        rejectedAt(exchange, kind, '/retentionInDays', 'the retention is below the minimum')
      },
      { label: 'rejected' },
    ),
    ...ofEachCluster(expectInEffect, { label: 'in effect' }),
  ],

  'takeSnapshot.retained-as-requested': [
    ...ofEachCluster(async (trial, kind) => {
      for (const period of [minimum, 2 + trial.random.integer(300)]) {
        const place = await ownCluster(trial.context, kinds[kind])
        const taken = supported(await take(trial, place, period), kind)
        expectNotShorter(taken, days(period))
        const found = await read(trial, childPath(place, { snapshotId: idIn(taken.body) }), kind)
        expectNotShorter(found, days(period))
      }
    }),
    ...timedOfEachCluster(staysUntilThen, { label: 'end of the retention period' }),
  ],

  'takeSnapshot.expires-after-retention': ofEachCluster(async (trial, kind) => {
    const place = await ownCluster(trial.context, kinds[kind])
    const retentionInDays = 2 + trial.random.integer(300)
    expectRetained(supported(await take(trial, place, retentionInDays), kind), days(retentionInDays))
  }),

  'takeSnapshot.retention-default': ofEachCluster(async (trial, kind) => {
    const place = await ownCluster(trial.context, kinds[kind])
    expectRetained(
      supported(await sendRequest(trial, place, { body: {} }), kind),
      days(limits.onDemandRetention.default),
    )
  }),

  'takeSnapshot.one-at-a-time': [
    ...timedOfEachCluster((trial, kind) =>
      whileInProgress(trial, kind, (exchange) => expectRefused(exchange, 'another snapshot is in progress')),
    ),
    ...timedOfEachCluster(atTheSameTime, { label: 'simultaneous requests' }),
  ],

  'takeSnapshot.one-at-a-time-code': timedOfEachCluster((trial, kind) =>
    whileInProgress(trial, kind, (exchange) =>
      expectError(exchange, 'SNAPSHOT_IN_PROGRESS', 'another snapshot is in progress'),
    ),
  ),

  'takeSnapshot.again-when-completed': timedOfEachCluster(async (trial, kind) => {
    const place = await ownCluster(trial.context, kinds[kind])
    const first = await takeSnapshot(trial, place)
    await passUntilCompleted(trial)
    expectField(await read(trial, first, kind), 'status', 'completed', 'decided')
    expectSuccess(await sendRequest(trial, place, { body: snapshotRequest }), 'another snapshot')
    const failed = await ownSnapshot(trial, kind, { status: 'failed' })
    expectSuccess(
      await sendRequest(trial, failed, { body: snapshotRequest }),
      'a snapshot after a failed one',
    )
  }),

  'takeSnapshot.other-cluster-free': timed(async (trial) => {
    await takeSnapshot(trial, await ownCluster(trial.context))
    const other = await ownCluster(trial.context)
    expectSuccess(await sendRequest(trial, other, { body: snapshotRequest }), 'a snapshot of another cluster')
  }),

  'takeSnapshot.scheduled-does-not-block': timed(async (trial) => {
    const place = await ownSchedule(trial, policies(item('hourly', 1, 2)))
    const next = timestampAt((await readSchedule(trial, place)).body, 'nextSnapshot')
    if (Number.isNaN(next)) throw new Untestable('a schedule with `nextSnapshot`')
    await pass(trial, Math.ceil((next - (await trial.context.prerequisites.now())) / 1000) + 1)
    const listed = listAt((await readAt(trial, place, 'listSnapshots')).body, 'results')
    if (!listed.some((one) => blocking.includes(stringAt(one, 'status') ?? '')))
      throw new Untestable('a scheduled snapshot that stays queued or in progress for a while')
    expectSuccess(
      await sendRequest(trial, place, { body: snapshotRequest }),
      'a snapshot during a scheduled snapshot',
    )
  }),

  'takeSnapshot.below-compliance-refused': ofEachCluster(async (trial, kind) => {
    const place = await ownCluster(trial.context, kinds[kind], await ownPolicy(trial))
    expectError(
      await take(trial, place, 6),
      'COMPLIANCE_POLICY_ACTIVE',
      'the compliance policy requires a retention of seven days',
    )
    expectSuccess(await take(trial, place, 7), 'a success, because the retention meets the compliance policy')
  }),

  'takeSnapshot.sharded-cluster': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context, kinds.shardedCluster)
    const newSnapshot = successfulResponse(await sendRequest(trial, place, { body: snapshotRequest }))
    const where = childPath(place, { snapshotId: idIn(newSnapshot.body) })
    const found = await readAt(trial, where, 'getShardedClusterSnapshot')
    expectField(found, 'id', idIn(newSnapshot.body))
    expectError(
      await sendRequest(trial, where, {}, 'getSnapshot'),
      'RESOURCE_NOT_FOUND',
      'the snapshot does not belong to a replica set',
    )
  }),
})
