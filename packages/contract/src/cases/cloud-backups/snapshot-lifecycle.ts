import { inspect } from '../../document/json.ts'
import type { Cell } from '../../engine/api.ts'
import { expectError, expectThat } from '../../engine/expect.ts'
import { own, rules, timed } from '../../engine/rule.ts'
import type { Trial } from '../../engine/trial.ts'
import { answered, expectField, fieldOf, secondsIn } from '../../given/answered.ts'
import { below, idIn, idsOf, look, pass, reach, timestamp } from '../../given/backups.ts'
import { ownCluster } from '../../given/own-places.ts'
import { ownSnapshot, passUntilCompleted, readSnapshot, takeSnapshot } from '../../given/snapshots.ts'

/** The status after some seconds of a snapshot that was just taken. */
const expectStatusAfter = async (trial: Trial, seconds: number, status: string): Promise<void> => {
  const taken = await takeSnapshot(trial, await ownCluster(trial.world))
  await pass(trial, seconds)
  expectField(await readSnapshot(trial, taken), 'status', status)
}

const onReading = ({ operation }: Cell): true | string =>
  operation.id === 'getSnapshot' || 'what is taken has a status of the service'

const soon = 20

export default rules({
  /** A snapshot is queued before it is in progress. */
  'snapshot.queued-first': timed(async (trial) => {
    const place = await ownCluster(trial.world)
    const taken = answered(await reach(trial, place, 'takeSnapshot', { body: {} }))
    expectField(taken, 'status', 'queued')
    const found = await look(trial, below(place, { snapshotId: idIn(taken.body) }), 'getSnapshot')
    expectField(found, 'status', 'queued')
  }),

  /** A queued snapshot is inProgress after a while. */
  'snapshot.in-progress-next': timed((trial) =>
    expectStatusAfter(trial, secondsIn('snapshot', 'queued'), 'inProgress'),
  ),

  /** A snapshot that is in progress is completed after a while, and has a size then. */
  'snapshot.completed-at-last': timed(async (trial) => {
    const taken = await takeSnapshot(trial, await ownCluster(trial.world))
    await passUntilCompleted(trial)
    const completed = await readSnapshot(trial, taken)
    expectField(completed, 'status', 'completed')
    const size = fieldOf(completed.body, 'storageSizeBytes')
    expectThat(typeof size === 'number' && size > 0, {
      expected: 'storageSizeBytes above 0',
      actual: inspect(size),
      exchange: completed.exchange,
    })
  }),

  /** A status other than the known ones is borne. */
  'snapshot.status-open': own(
    async (trial) => {
      const place = await ownSnapshot(trial, 'replicaSet', { status: 'archiving' })
      expectField(await readSnapshot(trial, place), 'status', 'archiving')
    },
    { at: onReading },
  ),

  /** A snapshot is neither found nor listed after its expiresAt. */
  'snapshot.gone-after-expiry': timed(async (trial) => {
    const now = await trial.world.prerequisites.now()
    const place = await ownSnapshot(trial, 'replicaSet', { expiresAt: timestamp(now + soon * 1000) })
    expectField(await readSnapshot(trial, place), 'id', place.snapshotId)
    await pass(trial, soon + 1)
    const exchange = await reach(trial, place, 'getSnapshot')
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the snapshot is expired')
    const listed = await look(trial, place, 'listSnapshots')
    expectThat(!idsOf(listed.body).includes(place.snapshotId), {
      expected: 'a list without it',
      actual: 'it is listed',
      exchange: listed.exchange,
    })
  }),
})
