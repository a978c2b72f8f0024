import { type Check, ownResourceRule, type Rule, rules, timed } from '../../check/rule.ts'
import type { JsonObject } from '../../document/json.ts'
import { kinds } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectRefusal, expectServed, expectSuccess, expectThat } from '../../model/expect.ts'
import { idsOf, pass, readAt, sendInAnyVersion } from '../../resources/backups.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { ownCluster, sendRequest } from '../../resources/own-resources.ts'
import {
  operationsOf,
  ownSnapshot,
  passUntilCompleted,
  type SnapshotKind,
  takeSnapshot,
} from '../../resources/snapshots.ts'
import { secondsIn } from '../../resources/successful-response.ts'

/** After the deletion, requests for the snapshot return 404, and lists no longer contain it. */
const removesOne =
  (kind: SnapshotKind, differs: JsonObject, expectRemoved: (exchange: Exchange) => void): Check =>
  async (trial) => {
    const { found, listed } = operationsOf(kind)
    const place = await ownSnapshot(trial, kind, differs)
    expectSuccess(await sendInAnyVersion(trial, place, found))
    expectRemoved(await sendRequest(trial, place))
    expectRefusal(
      await sendInAnyVersion(trial, place, found),
      'RESOURCE_NOT_FOUND',
      'the snapshot was deleted',
    )
    const page = await readAt(trial, place, listed)
    expectThat(!idsOf(page.body).includes(place.snapshotId), {
      expected: 'a list without the deleted resource',
      actual: 'a list that includes it',
      exchange: page.exchange,
    })
  }

const removes = (kind: SnapshotKind): readonly Rule[] => [
  ownResourceRule(removesOne(kind, {}, expectSuccess)),
  ownResourceRule(removesOne(kind, { status: 'failed' }, expectServed), { label: 'failed snapshot' }),
]

/** Snapshots can't be deleted while a compliance policy is active. */
const keptByPolicy = (kind: SnapshotKind): Rule =>
  ownResourceRule(async (trial) => {
    const place = await ownSnapshot(trial, kind, {}, await ownPolicy(trial))
    expectError(
      await sendRequest(trial, place),
      'COMPLIANCE_POLICY_ACTIVE',
      'the compliance policy protects all snapshots',
    )
    expectSuccess(
      await sendInAnyVersion(trial, place, operationsOf(kind).found),
      'a success, because the snapshot must not be deleted',
    )
  })

/** A snapshot can't be deleted while it is queued or in progress. */
const rejectedWhileInProgress = (kind: SnapshotKind): Rule =>
  timed(async (trial) => {
    const newSnapshot = await takeSnapshot(trial, await ownCluster(trial.context, kinds[kind]))
    expectError(await sendRequest(trial, newSnapshot), 'INVALID_STATE', 'the snapshot is queued')
    await pass(trial, secondsIn('snapshot', 'queued'))
    expectError(await sendRequest(trial, newSnapshot), 'INVALID_STATE', 'the snapshot is in progress')
    await passUntilCompleted(trial)
    expectSuccess(await sendRequest(trial, newSnapshot), 'a success, because the snapshot is completed')
  })

export default rules({
  'deleteSnapshot.removes': removes('replicaSet'),
  'deleteSnapshot.compliance-refused': keptByPolicy('replicaSet'),
  'deleteSnapshot.being-taken-refused': rejectedWhileInProgress('replicaSet'),
  'deleteShardedClusterSnapshot.removes': removes('shardedCluster'),
  'deleteShardedClusterSnapshot.compliance-refused': keptByPolicy('shardedCluster'),
  'deleteShardedClusterSnapshot.being-taken-refused': rejectedWhileInProgress('shardedCluster'),
})
