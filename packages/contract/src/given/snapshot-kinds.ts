import { limits, type OperationId, type OperationRow } from '@svc-admin/types'
import { listAt, numberAt, stringAt } from '../document/json.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { pageQuery } from '../model/pages.ts'
import { Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { clustersWithSnapshots } from './clusters.ts'

/**
 * A target file doesn't distinguish replica sets from sharded clusters, and names only one snapshot. The kit determines
 * a cluster's kind from the lists of its snapshots.
 */

const lists = {
  replicaSet: { list: 'listSnapshots', other: 'shardedCluster', called: 'a replica set' },
  shardedCluster: { list: 'listShardedClusterSnapshots', other: 'replicaSet', called: 'a sharded cluster' },
} as const satisfies Readonly<Record<string, { list: OperationId; other: string; called: string }>>

type Kind = keyof typeof lists

/** Returns the kind of cluster whose snapshots an operation reads. */
const kindReadBy = ({ method, path }: OperationRow): Kind | undefined => {
  if (method !== 'GET' || !path.includes('/clusters/{clusterName}/backup/snapshots')) return undefined
  return path.includes('/shardedCluster') ? 'shardedCluster' : 'replicaSet'
}

type ClusterPath = Readonly<Record<'groupId' | 'clusterName', string>>

/** Returns the IDs of a cluster's snapshots of one kind, or `undefined` if the list can't be read. */
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

/** Returns the paths of all clusters in the target file, starting with the path in `values`. */
const placesFor = (
  context: RunContext,
  { groupId = '', clusterName = '' }: Readonly<Record<string, string>>,
): ClusterPath[] => {
  const others = clustersWithSnapshots(context).map(({ name }) => name)
  return [...new Set([clusterName, ...others])].map((name) => ({ groupId, clusterName: name }))
}

const lacking = (kind: Kind, what: string): never => {
  throw new Untestable(`${what} of ${lists[kind].called} (no cluster in the target file has one)`)
}

/** Returns the parameters for a list of snapshots, with a cluster of the right kind. */
const clusterOfKind = async (context: RunContext, kind: Kind, values: Readonly<Record<string, string>>) => {
  const [own, ...others] = placesFor(context, values)
  if (own === undefined) return values
  const listed = await listedIn(context, kind, own)
  const isOther = ((await listedIn(context, lists[kind].other, own)) ?? []).length > 0
  // If the list request returns an error, keep the cluster, because the check then reports the error.
  if (listed?.length || !isOther) return values
  for (const place of others)
    if ((await listedIn(context, kind, place))?.length) return { ...values, ...place }
  return listed === undefined ? lacking(kind, 'snapshots') : values
}

/** Returns the parameters for a snapshot, with a snapshot of the right kind. */
const snapshotOfKind = async (context: RunContext, kind: Kind, values: Readonly<Record<string, string>>) => {
  const places = placesFor(context, values)
  const { snapshotId = '' } = values
  for (const place of places)
    if ((await listedIn(context, kind, place))?.includes(snapshotId)) return { ...values, ...place }
  let isOther = false
  for (const place of places)
    isOther ||= (await listedIn(context, lists[kind].other, place))?.includes(snapshotId) ?? false
  // A snapshot that no list contains is assumed to be of the right kind. If the snapshot is of the wrong kind, the
  // check reports an error.
  if (!isOther) return values
  for (const place of places) {
    const [first] = (await listedIn(context, kind, place)) ?? []
    if (first !== undefined) return { ...values, ...place, snapshotId: first }
  }
  return lacking(kind, 'a snapshot')
}

/**
 * Returns the path parameters for an operation that reads snapshots, with a snapshot of the right kind. If the target
 * file names a snapshot specifically for this operation, uses that snapshot.
 *
 * @throws Untestable if the target file names a snapshot of the other kind and there is no other snapshot.
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
  // The demo organization's snapshots are always of the right kind.
  if (kind === undefined || isNamed || context.demo.names.size > 0) return values
  return operation.pathParameters.includes('snapshotId')
    ? snapshotOfKind(context, kind, values)
    : clusterOfKind(context, kind, values)
}

/**
 * Expects a cluster to have continuous backup. A cluster has continuous backup if its schedule has a restore
 * window.
 *
 * @throws Untestable if the cluster has no continuous backup, or if its schedule can't be read.
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
