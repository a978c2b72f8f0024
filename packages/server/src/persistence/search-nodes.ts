import type { components } from '@svc-admin/types/newest'
import type { StoredState } from '../domain/lifecycle.ts'
import type { OnCluster } from '../domain/search/index-key.ts'
import type { Session } from './database.ts'
import { type RowOf, rowsOf } from './rows.ts'

export type SearchNodeSpecs = components['schemas']['SearchNodeSpecs']

/** A cluster's search nodes. */
export interface SearchNodes extends OnCluster, StoredState {
  readonly id: string
  readonly specs: SearchNodeSpecs
  readonly createdAt: number
}

const rows = rowsOf('search_nodes', {
  key: ['group_id', 'cluster_name'],
  fixed: ['created_at'],
  changing: ['id', 'state', 'since', 'specs'],
})
const find = rows.find(['group_id', 'cluster_name'])

/** Reads and writes search nodes. A cluster has at most one search node deployment. */
export const searchNodes = {
  /** Returns a cluster's search nodes. In a transaction, also locks the search nodes. */
  async find(session: Session, { groupId, clusterName }: OnCluster): Promise<SearchNodes | undefined> {
    const row = await session.one(find, { groupId, clusterName })
    return row && { ...row, specs: JSON.parse(row.specs) }
  },

  /**
   * Inserts a search node deployment.
   *
   * @throws {DuplicateError} if the cluster already has a search node deployment.
   */
  async insert(session: Session, nodes: SearchNodes): Promise<void> {
    await session.all(rows.insert, valuesOf(nodes))
  },

  async put(session: Session, nodes: SearchNodes): Promise<void> {
    await session.all(rows.put, valuesOf(nodes))
  },
}

function valuesOf({ specs, target: _, ...nodes }: SearchNodes): RowOf<'search_nodes'> {
  return { ...nodes, specs: JSON.stringify(specs) }
}
