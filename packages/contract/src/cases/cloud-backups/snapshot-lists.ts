import { forEach, ownResourceRule, type Rule, rules } from '../../check/rule.ts'
import { inspect, isArray, isObject, listAt } from '../../document/json.ts'
import { kinds } from '../../given/clusters.ts'
import { expectThat } from '../../model/expect.ts'
import { expectExactly, servedAt } from '../../resources/backups.ts'
import { ownCluster } from '../../resources/own-resources.ts'
import { ownSnapshot, type SnapshotKind, seedSnapshot } from '../../resources/snapshots.ts'
import { expectField, fieldOf, refused } from '../../resources/successful-response.ts'

/** Expects the list to contain exactly the cluster's snapshots. */
const listsTheCluster = (kind: SnapshotKind, clusterKind: keyof typeof kinds = kind, label = ''): Rule =>
  ownResourceRule(
    async (trial) => {
      const place = await ownCluster(trial.context, kinds[clusterKind])
      const one = await seedSnapshot(trial, place, kind)
      const other = await seedSnapshot(trial, place, kind)
      await ownSnapshot(trial, kind)
      const { exchange, body } = await servedAt(trial, place)
      expectExactly({ exchange, body }, [one.snapshotId, other.snapshotId])
      if (kind !== 'serverless') return
      for (const item of listAt(body, 'results'))
        expectField({ exchange, body: item }, 'serverlessInstanceName', place.clusterName)
    },
    { label },
  )

export default rules({
  'listSnapshots.lists-the-cluster': listsTheCluster('replicaSet'),
  'listServerlessSnapshots.lists-the-instance': [
    listsTheCluster('serverless'),
    listsTheCluster('serverless', 'flex', 'flex cluster'),
  ],

  'listShardedClusterSnapshots.lists-the-cluster': [
    listsTheCluster('shardedCluster'),
    ownResourceRule(
      async (trial) => {
        const place = await ownSnapshot(trial, 'shardedCluster')
        const { body, exchange } = await servedAt(trial, place)
        expectThat(isArray(fieldOf(body, 'results')) && isArray(fieldOf(body, 'links')), {
          expected: 'results and links',
          actual: isObject(body) ? Object.keys(body).join(', ') : inspect(body),
          exchange,
        })
      },
      { label: 'format' },
    ),
  ],

  'listShardedClusterSnapshots.takes-no-paging': forEach(
    () => [['itemsPerPage', '5'] as const, ['pageNum', '1'] as const, ['includeCount', 'true'] as const],
    ([name]) => name,
    async (trial, parameter) => {
      refused(await trial.try({ query: [parameter] }), `the operation has no parameter ${parameter[0]}`)
    },
  ),
})
