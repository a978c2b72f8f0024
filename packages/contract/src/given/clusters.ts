import { limits, type OperationRow } from '@svc-admin/types'
import type { JsonObject } from '../document/json.ts'
import { Untestable } from '../model/signals.ts'
import type { Target, TargetCluster } from '../target/target.ts'

/** The fields in which each kind of cluster differs from the default cluster. */
export const kinds = {
  replicaSet: { type: 'REPLICASET' },
  shardedCluster: { type: 'SHARDED', tier: 'M40' },
  serverless: { type: 'SERVERLESS', tier: 'SERVERLESS' },
  flex: { type: 'FLEX', tier: 'FLEX' },
} as const satisfies Readonly<Record<string, JsonObject>>

/** The kinds of clusters that aren't instances, and that have replica sets or shards of their own. */
export const clusterKinds = ['replicaSet', 'shardedCluster'] as const

export type ClusterKind = (typeof clusterKinds)[number]

/** These kinds of clusters support the same operations as the more common kind of cluster or instance. */
const lessCommon: Readonly<Partial<Record<keyof typeof kinds, string>>> = {
  shardedCluster: 'sharded cluster',
  flex: 'flex cluster',
}

/** Adds the kind of cluster to a check's label, unless it's the more common kind. */
export const labelFor = (kind: keyof typeof kinds, label = ''): string =>
  [label, lessCommon[kind]].filter(Boolean).join(', ')

type ProvidedTarget = Pick<Target, 'clusters' | 'things'>
type Located = Pick<OperationRow, 'id' | 'path'>

const withoutAccessHistory: readonly string[] = limits.tiersWithoutAccessHistory.values

/** Returns the clusters whose tier provides access history. */
export const fullClusters = ({ target }: { readonly target: ProvidedTarget }): readonly TargetCluster[] =>
  (target.clusters ?? []).filter(({ tier }) => !withoutAccessHistory.includes(tier))

/** Returns the clusters whose tier doesn't provide access history. */
export const smallClusters = ({ target }: { readonly target: ProvidedTarget }): readonly TargetCluster[] =>
  (target.clusters ?? []).filter(({ tier }) => withoutAccessHistory.includes(tier))

/** Clusters in these tiers support only the serverless backup operations. */
const instanceTiers: readonly string[] = [kinds.serverless.tier, kinds.flex.tier]

const isInstance = ({ tier }: TargetCluster): boolean => instanceTiers.includes(tier)

/** Returns the clusters whose snapshots the cluster operations can return. */
export const clustersWithSnapshots = (provided: {
  readonly target: ProvidedTarget
}): readonly TargetCluster[] => fullClusters(provided).filter((one) => !isInstance(one))

/** Returns whether an operation supports only serverless instances and flex clusters. */
export const onInstances = ({ path }: Located): boolean => path.includes('/serverless/')

const onClustersAlone = (operation: Located): boolean =>
  operation.path.includes('/clusters/{clusterName}/backup/') && !onInstances(operation)

/**
 * Returns whether an operation's path parameter identifies a different kind of resource than the shared parameter with
 * the same name.
 */
export const isApart = (operation: Located, name: string): boolean =>
  onInstances(operation) && name !== 'groupId'

/** The missing prerequisite to report if an operation needs an instance and the target file contains none. */
export const anInstance = `a serverless instance (a cluster with the tier ${instanceTiers.join(' or ')})`

/** Returns the first cluster on the target that the operation supports. */
const foundBy = (target: ProvidedTarget, operation: Located): TargetCluster | undefined => {
  if (!onInstances(operation))
    return fullClusters({ target }).find((one) => !onClustersAlone(operation) || !isInstance(one))
  const instances = (target.clusters ?? []).filter(isInstance)
  return instances.find(({ tier }) => tier === kinds.serverless.tier) ?? instances[0]
}

/** Returns whether the operation needs an instance that the target file doesn't contain. */
export const lacksInstance = (target: ProvidedTarget, operation: Located): boolean =>
  onInstances(operation) &&
  target.things[`${operation.id}.clusterName`] === undefined &&
  foundBy(target, operation) === undefined

/**
 * Returns a cluster that the operation supports.
 *
 * @throws Untestable if the target file doesn't contain any.
 */
export const clusterFor = (
  { target }: { readonly target: ProvidedTarget },
  operation: Located,
): TargetCluster => {
  const found = foundBy(target, operation)
  if (found !== undefined) return found
  if (onInstances(operation)) throw new Untestable(anInstance)
  const kind = onClustersAlone(operation) ? " that isn't a serverless instance or flex cluster" : ''
  throw new Untestable(`a cluster of a tier with access history${kind}`)
}
