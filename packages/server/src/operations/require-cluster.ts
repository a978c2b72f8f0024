import { clusterNotFound } from '../domain/cluster-not-found.ts'
import { type Cluster, clusters } from '../persistence/clusters.ts'
import type { Session } from '../persistence/database.ts'

/**
 * Returns the cluster with the given name.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the project has no cluster with this name.
 */
export async function requireCluster(session: Session, groupId: string, name: string): Promise<Cluster> {
  const cluster = await clusters.byName(session, groupId, name)
  if (cluster) return cluster
  throw clusterNotFound(name)
}
