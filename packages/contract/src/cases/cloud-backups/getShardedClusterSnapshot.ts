import { always, ownResourceRule, rules } from '../../check/rule.ts'
import { inspect, listAt } from '../../document/json.ts'
import { kinds } from '../../given/clusters.ts'
import { expectThat } from '../../model/expect.ts'
import { expectFound, readAt } from '../../resources/backups.ts'
import { ownCluster } from '../../resources/own-resources.ts'
import { takeSnapshot } from '../../resources/snapshots.ts'
import { expectSame, fieldOf } from '../../resources/successful-response.ts'

export default rules({
  'getShardedClusterSnapshot.answers-with-sharded-cluster-snapshot': always((trial) =>
    expectFound(trial, 'snapshotId'),
  ),

  'getShardedClusterSnapshot.members': ownResourceRule(async (trial) => {
    const newSnapshot = await takeSnapshot(trial, await ownCluster(trial.context, kinds.shardedCluster))
    const { body, exchange } = await readAt(trial, newSnapshot, 'getShardedClusterSnapshot')
    const fields = listAt(body, 'members')
    const ids = fields.map((field) => fieldOf(field, 'id') ?? null)
    const replicaSets = new Set(fields.map((field) => fieldOf(field, 'replicaSetName')))
    expectThat(fields.length > 0 && replicaSets.size === fields.length && !replicaSets.has(undefined), {
      expected: 'members, each with a different replicaSetName',
      actual: inspect(fields),
      exchange,
    })
    expectSame(exchange, 'snapshotIds', fieldOf(body, 'snapshotIds'), ids)
  }),
})
