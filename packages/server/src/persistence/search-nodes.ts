import type { components } from '@svc-admin/types/newest'
import type { StoredState } from '../domain/lifecycle.ts'
import type { OnCluster } from '../domain/search/index-key.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

export type SearchNodeSpecs = components['schemas']['SearchNodeSpecs']

/** A cluster's search nodes. Each cluster has at most one deployment. */
export interface SearchNodes extends OnCluster, StoredState {
  readonly id: string
  readonly specs: SearchNodeSpecs
  readonly createdAt: number
}

type Cluster = { groupId: string; clusterName: string }

const find = statement((db, $: Slots<Cluster>, dialect) =>
  db
    .selectFrom('search_nodes')
    .select([
      'group_id as groupId',
      'cluster_name as clusterName',
      'id',
      'state',
      'since',
      'specs',
      'created_at as createdAt',
    ])
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

interface Values extends Record<string, string | number> {
  groupId: string
  clusterName: string
  id: string
  state: string
  since: number
  specs: string
  createdAt: number
}

const insert = statement((db, $: Slots<Values>) =>
  db.insertInto('search_nodes').values({
    group_id: $('groupId'),
    cluster_name: $('clusterName'),
    id: $('id'),
    state: $('state'),
    since: $('since'),
    specs: $('specs'),
    created_at: $('createdAt'),
  }),
)
const put = statement((db, $: Slots<Values>) => {
  const changing = { id: $('id'), state: $('state'), since: $('since'), specs: $('specs') }
  return db
    .insertInto('search_nodes')
    .values({
      group_id: $('groupId'),
      cluster_name: $('clusterName'),
      created_at: $('createdAt'),
      ...changing,
    })
    .onConflict((conflict) => conflict.columns(['group_id', 'cluster_name']).doUpdateSet(changing))
})

/** Search nodes. Each cluster has at most one deployment. */
export const searchNodes = {
  /** In a transaction, also locks the nodes. */
  async find(session: Session, { groupId, clusterName }: OnCluster): Promise<SearchNodes | undefined> {
    const row = await session.one(find, { groupId, clusterName })
    return row && { ...row, specs: JSON.parse(row.specs) }
  },

  /** @throws {DuplicateError} if the cluster already has a deployment. */
  async insert(session: Session, nodes: SearchNodes): Promise<void> {
    await session.all(insert, valuesOf(nodes))
  },

  /** Inserts or replaces a cluster's deployment. */
  async put(session: Session, nodes: SearchNodes): Promise<void> {
    await session.all(put, valuesOf(nodes))
  },
}

function valuesOf({ specs, target: _, ...nodes }: SearchNodes): Values {
  return { ...nodes, specs: JSON.stringify(specs) }
}
