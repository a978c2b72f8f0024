import { limits } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { hasSearch } from '../../domain/search/database-version.ts'
import type { OnCluster } from '../../domain/search/index-key.ts'
import type { Cluster } from '../../persistence/clusters.ts'
import type { Session } from '../../persistence/database.ts'
import { requireCluster } from '../require-cluster.ts'

/**
 * Checks that the cluster exists and supports search. Call this function for operations on the cluster itself.
 * Operations on a resource within the cluster must check the resource first.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the cluster doesn't exist, or `TIER_NOT_SUPPORTED` if the cluster doesn't
 *   support search.
 */
export async function requireSearch(session: Session, { groupId, clusterName }: OnCluster): Promise<void> {
  requireSearchOf(await requireCluster(session, groupId, clusterName))
}

/**
 * Checks that a cluster's database version supports search.
 *
 * @throws {Problem} `TIER_NOT_SUPPORTED` if the database version doesn't support search.
 */
export function requireSearchOf({ databaseVersion }: Cluster): void {
  if (hasSearch(databaseVersion)) return
  throw problem('TIER_NOT_SUPPORTED', {
    detail: `Search requires database version ${limits.searchDatabaseVersion.minimum} or later, but the cluster has ${databaseVersion}.`,
    parameters: ['clusterName'],
  })
}
