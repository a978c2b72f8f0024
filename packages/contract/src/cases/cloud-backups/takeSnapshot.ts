import { limits } from '@svc-admin/types'
import { keepableText } from '../../document/arbitrary.ts'
import { expectAt, expectError, expectRefused, expectSuccess } from '../../engine/expect.ts'
import { withGenerated } from '../../engine/generated.ts'
import { own, rules, timed } from '../../engine/rule.ts'
import type { Trial } from '../../engine/trial.ts'
import {
  answered,
  expectContains,
  expectField,
  expectText,
  refused,
  secondsIn,
} from '../../given/answered.ts'
import { below, days, expectKept, idIn, look, pass } from '../../given/backups.ts'
import { kinds } from '../../given/clusters.ts'
import { ownPolicy } from '../../given/compliance.ts'
import { ask, type OwnPlace, ownCluster } from '../../given/own-places.ts'
import { passUntilCompleted, takeSnapshot } from '../../given/snapshots.ts'
import type { Exchange } from '../../http/exchange.ts'

/** Another snapshot is asked for while one is queued, and again while it is in progress. */
const askedMeanwhile = async (trial: Trial, look: (exchange: Exchange) => void): Promise<void> => {
  const place = await ownCluster(trial.world)
  await takeSnapshot(trial, place)
  look(await ask(trial, place, { body: {} }))
  await pass(trial, secondsIn('snapshot', 'queued'))
  look(await ask(trial, place, { body: {} }))
}

const take = (trial: Trial, place: OwnPlace, retentionInDays: number): Promise<Exchange> =>
  ask(trial, place, { body: { retentionInDays } })

const describes = async (trial: Trial, description: string): Promise<void> => {
  const place = await ownCluster(trial.world)
  const taken = answered(await ask(trial, place, { body: { description, retentionInDays: 3 } }))
  expectContains(taken.exchange, taken.body, { description })
  expectText(taken, 'status')
  expectText(taken, 'id')
  const id = idIn(taken.body)
  const found = await look(trial, below(place, { snapshotId: id }), 'getSnapshot')
  expectContains(found.exchange, found.body, { description, id })
  for (const snapshot of [taken, found]) expectField(snapshot, 'snapshotType', 'onDemand', 'decided')
}

export default rules({
  /** The snapshot is answered with the description that was sent and a status; that it is onDemand, is decided. */
  'takeSnapshot.answers-with-replica-set-snapshot': [
    own((trial) => describes(trial, `Before the release (${trial.world.runTag})`)),
    withGenerated((generate) => keepableText(generate, 60), describes),
  ],

  /** A retentionInDays of 1 is taken and one of 0 is refused. */
  'takeSnapshot.retention-from-1': [
    own(
      async (trial) => {
        const place = await ownCluster(trial.world)
        expectSuccess(await take(trial, place, limits.retentionInDays.minimum))
      },
      { label: 'taken' },
    ),
    own(
      async (trial) => {
        const place = await ownCluster(trial.world)
        const exchange = await take(trial, place, limits.retentionInDays.minimum - 1)
        refused(exchange, 'the retention is below the bound')
        expectAt(exchange, ['/retentionInDays'])
      },
      { label: 'refused' },
    ),
  ],

  /** The expiresAt is retentionInDays after createdAt. */
  'takeSnapshot.expires-after-retention': own(async (trial) => {
    const place = await ownCluster(trial.world)
    const retentionInDays = 2 + trial.random.integer(300)
    expectKept(answered(await take(trial, place, retentionInDays)), days(retentionInDays))
  }),

  /** Without retentionInDays the snapshot is kept for the default number of days. */
  'takeSnapshot.retention-default': own(async (trial) => {
    const place = await ownCluster(trial.world)
    expectKept(answered(await ask(trial, place, { body: {} })), days(limits.onDemandRetention.default))
  }),

  /** While an on-demand snapshot of the cluster is queued or in progress another is refused. */
  'takeSnapshot.one-at-a-time': timed((trial) =>
    askedMeanwhile(trial, (exchange) => expectRefused(exchange, 'another snapshot is being taken')),
  ),

  /** Another on-demand snapshot meanwhile is answered with 409 SNAPSHOT_IN_PROGRESS. */
  'takeSnapshot.one-at-a-time-code': timed((trial) =>
    askedMeanwhile(trial, (exchange) =>
      expectError(exchange, 'SNAPSHOT_IN_PROGRESS', 'another snapshot is being taken'),
    ),
  ),

  /** Once the on-demand snapshot is completed another can be taken. */
  'takeSnapshot.again-when-completed': timed(async (trial) => {
    const place = await ownCluster(trial.world)
    const first = await takeSnapshot(trial, place)
    await passUntilCompleted(trial)
    expectField(await look(trial, first, 'getSnapshot'), 'status', 'completed', 'decided')
    expectSuccess(await ask(trial, place, { body: {} }), 'another snapshot')
  }),

  /** An on-demand snapshot of one cluster does not stand in the way of another cluster's. */
  'takeSnapshot.other-cluster-free': timed(async (trial) => {
    await takeSnapshot(trial, await ownCluster(trial.world))
    const other = await ownCluster(trial.world)
    expectSuccess(await ask(trial, other, { body: {} }), 'a snapshot of another cluster')
  }),

  /** A retention below the on-demand policy item of an active compliance policy is answered with 409. */
  'takeSnapshot.below-compliance-refused': own(async (trial) => {
    const place = await ownCluster(trial.world, {}, await ownPolicy(trial))
    expectError(await take(trial, place, 6), 'COMPLIANCE_POLICY_ACTIVE', 'the policy asks for seven days')
    expectSuccess(await take(trial, place, 7), 'a snapshot that the policy lets pass')
  }),

  /** On a sharded cluster the snapshot is one of the sharded cluster, found by the operations for these. */
  'takeSnapshot.sharded-cluster': own(async (trial) => {
    const place = await ownCluster(trial.world, kinds.shardedCluster)
    const taken = answered(await ask(trial, place, { body: {} }))
    const where = below(place, { snapshotId: idIn(taken.body) })
    const found = await look(trial, where, 'getShardedClusterSnapshot')
    expectField(found, 'id', idIn(taken.body))
    expectError(
      await ask(trial, where, {}, 'getSnapshot'),
      'RESOURCE_NOT_FOUND',
      'it is no snapshot of a replica set',
    )
  }),
})
