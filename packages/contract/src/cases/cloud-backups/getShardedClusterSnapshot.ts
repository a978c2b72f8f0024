import { inspect, listAt } from '../../document/json.ts'
import { expectThat } from '../../engine/expect.ts'
import { always, own, rules } from '../../engine/rule.ts'
import { expectSame, memberOf } from '../../given/answered.ts'
import { expectFound, look } from '../../given/backups.ts'
import { kinds } from '../../given/clusters.ts'
import { ownCluster } from '../../given/own-places.ts'
import { takeSnapshot } from '../../given/snapshots.ts'

export default rules({
  /** One snapshot of the sharded cluster is returned by its id. */
  'getShardedClusterSnapshot.answers-with-sharded-cluster-snapshot': always((trial) =>
    expectFound(trial, 'snapshotId'),
  ),

  /** The members and snapshotIds name the snapshots of the shards. */
  'getShardedClusterSnapshot.members': own(async (trial) => {
    const taken = await takeSnapshot(trial, await ownCluster(trial.world, kinds.shardedCluster))
    const { body, exchange } = await look(trial, taken, 'getShardedClusterSnapshot')
    const members = listAt(body, 'members')
    const ids = members.map((member) => memberOf(member, 'id') ?? null)
    const replicaSets = new Set(members.map((member) => memberOf(member, 'replicaSetName')))
    expectThat(members.length > 0 && replicaSets.size === members.length && !replicaSets.has(undefined), {
      expected: 'members, each with a replicaSetName of its own',
      actual: inspect(members),
      exchange,
    })
    expectSame(exchange, 'snapshotIds', memberOf(body, 'snapshotIds'), ids)
  }),
})
