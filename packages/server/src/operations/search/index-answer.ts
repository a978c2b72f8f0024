import { problem } from '../../domain/problem.ts'
import { indexAt, type SeenIndex } from '../../domain/search/index-state.ts'
import { clusters } from '../../persistence/clusters.ts'
import type { Session } from '../../persistence/database.ts'
import type { IndexKey, OnCluster, SearchIndex } from '../../persistence/search-indexes.ts'
import { itemsAt, resource } from '../answer.ts'
import { indexDocument } from './index-document.ts'

/** Answers with an index as of now. */
export async function indexAnswer(session: Session, index: SearchIndex, seen: SeenIndex) {
  const { groupId, clusterName, id } = index
  const hostnames = await clusters.hostnames(session, groupId, clusterName)
  const values = { groupId, clusterName, indexId: id }
  return resource(indexDocument(index, seen, hostnames), 'getSearchIndex', values)
}

/** Answers with those of some indexes that are not gone by now. */
export async function indexListAnswer(
  session: Session,
  on: OnCluster,
  indexes: readonly SearchIndex[],
  now: number,
) {
  const hostnames = await clusters.hostnames(session, on.groupId, on.clusterName)
  const items = present(indexes, now).map(({ index, seen }) => ({
    id: index.id,
    document: indexDocument(index, seen, hostnames),
  }))
  return { kind: 'list', items, itemLinks: indexLinks(on) } as const
}

/** Where each index of a cluster is found, whichever shape it is shown in. */
export const indexLinks = ({ groupId, clusterName }: OnCluster) =>
  itemsAt('getSearchIndex', { groupId, clusterName }, 'indexId')

/** The indexes that are there as of now, and how far they have come. */
export function present(indexes: readonly SearchIndex[], now: number) {
  return indexes.flatMap((index) => {
    const seen = indexAt(index, now)
    return seen ? [{ index, seen }] : []
  })
}

/** The index as of now. @throws {Problem} `RESOURCE_NOT_FOUND` if there is none, or none any more. */
export function requirePresent(index: SearchIndex | undefined, key: IndexKey, now: number) {
  const seen = index && indexAt(index, now)
  if (index && seen) return { index, seen }
  const which =
    'id' in key ? `with the ID ${key.id}` : `named ${key.name} on ${key.database}.${key.collectionName}`
  throw problem('RESOURCE_NOT_FOUND', { detail: `No Search index ${which} exists on the cluster.` })
}
