import { limits, type OperationId, type OperationRow } from '@svc-admin/types'
import { listAt, numberAt, stringAt } from '../document/json.ts'
import { pageQuery } from '../engine/pages.ts'
import { Untestable } from '../engine/signals.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { clustersWithSnapshots } from './clusters.ts'

// A target file calls snapshots of replica sets and of sharded clusters by one name, and tells of no cluster which of
// both it is: what it lists, says so.

const lists = {
  replicaSet: { list: 'listSnapshots', other: 'shardedCluster', called: 'a replica set' },
  shardedCluster: { list: 'listShardedClusterSnapshots', other: 'replicaSet', called: 'a sharded cluster' },
} as const satisfies Readonly<Record<string, { list: OperationId; other: string; called: string }>>

type Kind = keyof typeof lists

/** The kind of cluster whose snapshots an operation reads. */
const kindReadBy = ({ method, path }: OperationRow): Kind | undefined => {
  if (method !== 'GET' || !path.includes('/clusters/{clusterName}/backup/snapshots')) return undefined
  return path.includes('/shardedCluster') ? 'shardedCluster' : 'replicaSet'
}

type ClusterPath = Readonly<Record<'groupId' | 'clusterName', string>>

/** Identifiers of the snapshots of a kind in a cluster; `undefined` where they cannot be read. */
const listedIn = (
  context: RunContext,
  kind: Kind,
  place: ClusterPath,
): Promise<readonly string[] | undefined> => {
  const { list } = lists[kind]
  return context.once(`${list} ${place.groupId} ${place.clusterName}`, async () => {
    try {
      const paged = context.api.cells.some(({ operation }) => operation.id === list && operation.paged)
      const query = paged ? { query: pageQuery(1, limits.itemsPerPage.maximum) } : {}
      const page = await context.perform(list, place, query)
      return listAt(page, 'results').flatMap((item) => stringAt(item, 'id') ?? [])
    } catch (error) {
      if (error instanceof Untestable || error instanceof NoCredentials) return undefined
      throw error
    }
  })
}

/** Places of the project that a path names: its own, and after it those of the other clusters. */
const placesFor = (
  context: RunContext,
  { groupId = '', clusterName = '' }: Readonly<Record<string, string>>,
): ClusterPath[] => {
  const others = clustersWithSnapshots(context).map(({ name }) => name)
  return [...new Set([clusterName, ...others])].map((name) => ({ groupId, clusterName: name }))
}

const lacking = (kind: Kind, what: string): never => {
  throw new Untestable(`${what} of ${lists[kind].called}, which no cluster of the target file lists`)
}

/** The values of a path that lists snapshots of a kind, with a cluster that is of the kind. */
const clusterOfKind = async (context: RunContext, kind: Kind, values: Readonly<Record<string, string>>) => {
  const [own, ...others] = placesFor(context, values)
  if (own === undefined) return values
  const listed = await listedIn(context, kind, own)
  const isOther = ((await listedIn(context, lists[kind].other, own)) ?? []).length > 0
  // What is wrong with a list of the right kind is for the check to tell.
  if (listed?.length || !isOther) return values
  for (const place of others)
    if ((await listedIn(context, kind, place))?.length) return { ...values, ...place }
  return listed === undefined ? lacking(kind, 'snapshots') : values
}

/** The values of a path that names a snapshot, with one that is of the kind. */
const snapshotOfKind = async (context: RunContext, kind: Kind, values: Readonly<Record<string, string>>) => {
  const places = placesFor(context, values)
  const { snapshotId = '' } = values
  for (const place of places)
    if ((await listedIn(context, kind, place))?.includes(snapshotId)) return { ...values, ...place }
  let isOther = false
  for (const place of places)
    isOther ||= (await listedIn(context, lists[kind].other, place))?.includes(snapshotId) ?? false
  // One that nobody lists is taken for what the target file says: what is wrong with it, is for the check to tell.
  if (!isOther) return values
  for (const place of places) {
    const [first] = (await listedIn(context, kind, place)) ?? []
    if (first !== undefined) return { ...values, ...place, snapshotId: first }
  }
  return lacking(kind, 'a snapshot')
}

/**
 * The values of a path that reads snapshots, with one that is of the kind that the operation finds, unless the target
 * file names one for the operation alone.
 *
 * @throws Untestable where what the target file names is of the other kind, and nothing is of this one.
 */
export const ofRightKind = async (
  context: RunContext,
  operation: OperationRow,
  values: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => {
  const kind = kindReadBy(operation)
  const isNamed = operation.pathParameters.some(
    (name) => name !== 'groupId' && context.target.things[`${operation.id}.${name}`] !== undefined,
  )
  // Those of the demo organisation are known to be.
  if (kind === undefined || isNamed || context.demo.names.size > 0) return values
  return operation.pathParameters.includes('snapshotId')
    ? snapshotOfKind(context, kind, values)
    : clusterOfKind(context, kind, values)
}

/**
 * Finds out whether a cluster has continuous backup: its schedule has a restore window then, and then alone.
 *
 * @throws Untestable where it has none, or nobody may read that.
 */
export const expectContinuousBackup = async (context: RunContext, place: ClusterPath): Promise<void> => {
  const window = await context.once(`restore window ${place.groupId} ${place.clusterName}`, async () =>
    numberAt(await context.perform('getBackupSchedule', place), 'restoreWindowDays'),
  )
  if (window === undefined || window < limits.restoreWindowDays.minimum)
    throw new Untestable(
      `a cluster with continuous backup (the schedule of ${place.clusterName} has no restoreWindowDays)`,
    )
}
