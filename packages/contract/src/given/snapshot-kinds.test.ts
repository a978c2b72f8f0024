import { expect, test } from 'vitest'
import { contextOver, dated, target } from '../../test/context-over.ts'
import { Untestable } from '../model/signals.ts'
import { givenParameters } from './given.ts'
import { expectContinuousBackup } from './snapshot-kinds.ts'

/** For each cluster, its kind and its snapshots. Lists for the other kind are empty or return 404. */
type Clusters = Readonly<Record<string, { readonly sharded: boolean; readonly snapshots: readonly string[] }>>

const providing = (
  clusters: Clusters,
  { others = 'empty', things = {} }: { others?: 'empty' | 'unknown' | 'all refused'; things?: object } = {},
) => {
  const { context } = contextOver(
    ({ path }) => {
      // This operation has no paging parameters, so the target rejects them.
      if (/shardedClusters\?.*pageNum/.test(path)) return [400]
      const [, name = ''] = /\/clusters\/(\w+)\//.exec(path) ?? []
      const cluster = clusters[name]
      const right = cluster?.sharded === path.includes('/shardedClusters')
      if (cluster === undefined || others === 'all refused' || (!right && others === 'unknown')) return [404]
      return [200, { results: right ? cluster.snapshots.map((id) => ({ id })) : [] }]
    },
    {
      target: {
        ...target,
        things: { ...target.things, snapshotId: 'named', ...things },
        clusters: Object.keys(clusters).map((name) => ({ name, tier: 'M30' })),
      },
    },
  )
  return async (operation: string) => {
    const { groupId: _, ...values } = await givenParameters(context, dated(operation))
    return Object.values(values).join('/')
  }
}

const replicas = { sharded: false, snapshots: ['named', 'second'] }
const shards = { sharded: true, snapshots: ['of-shards'] }

test.each(['empty', 'unknown'] as const)(
  'uses a named snapshot only for its own kind if lists of the other kind are %s',
  async (others) => {
    const of = providing({ one: replicas, two: shards }, { others })
    expect(await of('getSnapshot')).toBe('one/named')
    expect(await of('listSnapshots')).toBe('one')
    expect(await of('getShardedClusterSnapshot')).toBe('two/of-shards')
    expect(await of('listShardedClusterSnapshots')).toBe('two')
    const turned = providing({ one: shards, two: replicas }, { others })
    expect(await turned('getSnapshot')).toBe('two/named')
    expect(await turned('listSnapshots')).toBe('two')
    expect(await turned('getShardedClusterSnapshot')).toBe('one/of-shards')
  },
)

test('reports that no cluster has the kind', async () => {
  const of = providing({ one: replicas }, { others: 'unknown' })
  for (const operation of ['getShardedClusterSnapshot', 'listShardedClusterSnapshots'])
    await expect(of(operation)).rejects.toThrow(Untestable)
  await expect(of('getShardedClusterSnapshot')).rejects.toThrow('a snapshot of a sharded cluster')
  // If the list is empty instead of missing, the named cluster is used.
  expect(await providing({ one: replicas })('listShardedClusterSnapshots')).toBe('one')
})

test("a snapshot that can't be listed is used as named, so a broken list hides no other failure", async () => {
  const of = providing({ one: replicas }, { others: 'all refused' })
  for (const operation of ['getSnapshot', 'getShardedClusterSnapshot'])
    expect(await of(operation)).toBe('one/named')
  for (const operation of ['listSnapshots', 'listShardedClusterSnapshots'])
    expect(await of(operation)).toBe('one')
})

test('a snapshot named for one operation is used only for that operation', async () => {
  const things = { 'getShardedClusterSnapshot.snapshotId': 'mine' }
  const of = providing({ one: replicas, two: shards }, { things })
  expect(await of('getShardedClusterSnapshot')).toBe('one/mine')
})

test.each([
  [{ restoreWindowDays: 2 }, undefined],
  [{ restoreWindowDays: 0 }, 'continuous backup'],
  [{}, 'continuous backup'],
])('detects whether a cluster with the schedule %j has continuous backup', async (schedule, lacking) => {
  const { context } = contextOver(() => [200, schedule])
  const found = expectContinuousBackup(context, { groupId: target.things.groupId, clusterName: 'lent' })
  await (lacking === undefined ? found : expect(found).rejects.toThrow(lacking))
})
