import { limits } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { hasSearch } from '../../domain/search/database-version.ts'
import type { OnCluster } from '../../domain/search/index-key.ts'
import type { Session } from '../../persistence/database.ts'
import { requireCluster } from '../require-cluster.ts'

/** @throws {Problem} `RESOURCE_NOT_FOUND` without the cluster, `TIER_NOT_SUPPORTED` if it has no Search. */
export async function requireSearch(session: Session, { groupId, clusterName }: OnCluster): Promise<void> {
  const { databaseVersion } = await requireCluster(session, groupId, clusterName)
  if (hasSearch(databaseVersion)) return
  throw problem('TIER_NOT_SUPPORTED', {
    detail: `Search needs database version ${limits.searchDatabaseVersion.minimum}; the cluster has ${databaseVersion}.`,
  })
}
