import { limits, type OperationRow } from '@svc-admin/types'
import type { JsonObject } from '../document/json.ts'
import { Untestable } from '../engine/signals.ts'
import type { Target, TargetCluster } from '../target/target.ts'

/** What a cluster of each kind differs by from the usual one. */
export const kinds = {
  replicaSet: { type: 'REPLICASET' },
  shardedCluster: { type: 'SHARDED', tier: 'M40' },
  serverless: { type: 'SERVERLESS', tier: 'SERVERLESS' },
  flex: { type: 'FLEX', tier: 'FLEX' },
} as const satisfies Readonly<Record<string, JsonObject>>

type ProvidedTarget = Pick<Target, 'clusters' | 'things'>
type Located = Pick<OperationRow, 'id' | 'path'>

const withoutAccessHistory: readonly string[] = limits.tiersWithoutAccessHistory.values

/** Clusters whose tier has access history. */
export const fullClusters = ({ target }: { readonly target: ProvidedTarget }): readonly TargetCluster[] =>
  (target.clusters ?? []).filter(({ tier }) => !withoutAccessHistory.includes(tier))

/** Clusters whose tier has no access history. */
export const smallClusters = ({ target }: { readonly target: ProvidedTarget }): readonly TargetCluster[] =>
  (target.clusters ?? []).filter(({ tier }) => withoutAccessHistory.includes(tier))

/** Tiers of what serverless operations find, and other operations of backups do not. */
const instanceTiers: readonly string[] = [kinds.serverless.tier, kinds.flex.tier]

const isInstance = ({ tier }: TargetCluster): boolean => instanceTiers.includes(tier)

/** Clusters whose snapshots are found under the clusters of a project. */
export const clustersWithSnapshots = (provided: {
  readonly target: ProvidedTarget
}): readonly TargetCluster[] => fullClusters(provided).filter((one) => !isInstance(one))

/** Whether an operation finds serverless instances and flex clusters, and nothing else. */
export const onInstances = ({ path }: Located): boolean => path.includes('/serverless/')

const onClustersAlone = (operation: Located): boolean =>
  operation.path.includes('/clusters/{clusterName}/backup/') && !onInstances(operation)

/** Whether a path parameter of an operation names what is of another kind than what all operations share. */
export const isApart = (operation: Located, name: string): boolean =>
  onInstances(operation) && name !== 'groupId'

/** What an operation on instances lacks where there is none. */
export const anInstance = `a serverless instance (one of clusters with the tier ${instanceTiers.join(' or ')})`

/** Of the clusters of a target, the first that an operation finds, if there is one. */
const foundBy = (target: ProvidedTarget, operation: Located): TargetCluster | undefined => {
  if (!onInstances(operation))
    return fullClusters({ target }).find((one) => !onClustersAlone(operation) || !isInstance(one))
  const instances = (target.clusters ?? []).filter(isInstance)
  return instances.find(({ tier }) => tier === kinds.serverless.tier) ?? instances[0]
}

/** Whether a target gives an operation no instance to be tried on. */
export const lacksInstance = (target: ProvidedTarget, operation: Located): boolean =>
  onInstances(operation) &&
  target.things[`${operation.id}.clusterName`] === undefined &&
  foundBy(target, operation) === undefined

/**
 * A cluster that an operation finds.
 *
 * @throws Untestable where the target file names none.
 */
export const clusterFor = (
  { target }: { readonly target: ProvidedTarget },
  operation: Located,
): TargetCluster => {
  const found = foundBy(target, operation)
  if (found !== undefined) return found
  if (onInstances(operation)) throw new Untestable(anInstance)
  const kind = onClustersAlone(operation) ? ' that is no serverless instance and no flex cluster' : ''
  throw new Untestable(`a cluster of a tier with access history${kind}`)
}
