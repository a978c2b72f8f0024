import type { OnCluster } from '../../domain/search/index-key.ts'
import type { CurrentIndex } from '../../domain/search/index-state.ts'
import { present } from '../../domain/search/present-index.ts'
import { clusters } from '../../persistence/clusters.ts'
import type { Session } from '../../persistence/database.ts'
import type { SearchIndex } from '../../persistence/search-indexes.ts'
import { itemsAt, resource } from '../response.ts'
import { indexDocument } from './index-document.ts'

/** Builds a response with the current state of an index. */
export async function indexResponse(session: Session, index: SearchIndex, seen: CurrentIndex) {
  const { groupId, clusterName, id } = index
  const hostnames = await clusters.hostnames(session, groupId, clusterName)
  const values = { groupId, clusterName, indexId: id }
  return resource(indexDocument(index, seen, hostnames), 'getSearchIndex', values)
}

/** Builds a response with the given indexes, omitting deleted indexes. */
export async function indexListResponse(
  session: Session,
  on: OnCluster,
  indexes: readonly SearchIndex[],
  now: number,
) {
  const hostnames = await clusters.hostnames(session, on.groupId, on.clusterName)
  const items = present(indexes, now).map(({ index, current: seen }) => ({
    id: index.id,
    document: indexDocument(index, seen, hostnames),
  }))
  return { kind: 'list', items, itemLinks: indexLinks(on) } as const
}

/** Returns the link targets for a cluster's indexes, which are the same in the legacy and the current format. */
export const indexLinks = ({ groupId, clusterName }: OnCluster) =>
  itemsAt('getSearchIndex', { groupId, clusterName }, 'indexId')
