import { ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect } from '../../document/json.ts'
import type { Cell } from '../../model/api.ts'
import { expectError, expectThat } from '../../model/expect.ts'
import { childPath, idIn, idsOf, pass, readAt, sendInAnyVersion, timestamp } from '../../resources/backups.ts'
import { ownCluster } from '../../resources/own-resources.ts'
import {
  ownSnapshot,
  passUntilCompleted,
  readSnapshot,
  snapshotRequest,
  takeSnapshot,
} from '../../resources/snapshots.ts'
import { expectField, fieldOf, secondsIn, successfulResponse } from '../../resources/successful-response.ts'

/** Expects a new snapshot to have the given status after the given number of seconds. */
const expectStatusAfter = async (trial: Trial, seconds: number, status: string): Promise<void> => {
  const newSnapshot = await takeSnapshot(trial, await ownCluster(trial.context))
  await pass(trial, seconds)
  expectField(await readSnapshot(trial, newSnapshot), 'status', status)
}

const onReading = ({ operation }: Cell): true | string =>
  operation.id === 'getSnapshot' || 'the operation that creates the snapshot returns a status'

const soon = 20

export default rules({
  'snapshot.queued-first': timed(async (trial) => {
    const place = await ownCluster(trial.context)
    const newSnapshot = successfulResponse(
      await sendInAnyVersion(trial, place, 'takeSnapshot', { body: snapshotRequest }),
    )
    expectField(newSnapshot, 'status', 'queued')
    const found = await readAt(trial, childPath(place, { snapshotId: idIn(newSnapshot.body) }), 'getSnapshot')
    expectField(found, 'status', 'queued')
  }),

  'snapshot.in-progress-next': timed((trial) =>
    expectStatusAfter(trial, secondsIn('snapshot', 'queued'), 'inProgress'),
  ),

  'snapshot.completed-at-last': timed(async (trial) => {
    const newSnapshot = await takeSnapshot(trial, await ownCluster(trial.context))
    await passUntilCompleted(trial)
    const completed = await readSnapshot(trial, newSnapshot)
    expectField(completed, 'status', 'completed')
    const size = fieldOf(completed.body, 'storageSizeBytes')
    expectThat(typeof size === 'number' && size > 0, {
      expected: 'storageSizeBytes above 0',
      actual: inspect(size),
      exchange: completed.exchange,
    })
  }),

  'snapshot.status-open': ownResourceRule(
    async (trial) => {
      const place = await ownSnapshot(trial, 'replicaSet', { status: 'archiving' })
      expectField(await readSnapshot(trial, place), 'status', 'archiving')
    },
    { at: onReading },
  ),

  'snapshot.gone-after-expiry': timed(async (trial) => {
    const now = await trial.context.prerequisites.now()
    const place = await ownSnapshot(trial, 'replicaSet', { expiresAt: timestamp(now + soon * 1000) })
    expectField(await readSnapshot(trial, place), 'id', place.snapshotId)
    await pass(trial, soon + 1)
    const exchange = await sendInAnyVersion(trial, place, 'getSnapshot')
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the snapshot has expired')
    const listed = await readAt(trial, place, 'listSnapshots')
    expectThat(!idsOf(listed.body).includes(place.snapshotId), {
      expected: 'a list without the expired snapshot',
      actual: 'a list that includes it',
      exchange: listed.exchange,
    })
  }),
})
