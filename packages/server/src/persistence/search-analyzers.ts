import type { components } from '@svc-admin/types/newest'
import type { OnCluster } from '../domain/search/index-key.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

export type SearchAnalyzers = components['schemas']['SearchAnalyzers']

type Cluster = { groupId: string; clusterName: string }

const get = statement((db, $: Slots<Cluster>) =>
  db
    .selectFrom('search_analyzers')
    .select('document')
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName')),
)
const put = statement((db, $: Slots<Cluster & { document: string }>) =>
  db
    .insertInto('search_analyzers')
    .values({ group_id: $('groupId'), cluster_name: $('clusterName'), document: $('document') })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'cluster_name']).doUpdateSet({ document: $('document') }),
    ),
)

/** Reads and writes each cluster's user-defined analyzers. */
export const searchAnalyzers = {
  async get(session: Session, { groupId, clusterName }: OnCluster): Promise<SearchAnalyzers> {
    const row = await session.one(get, { groupId, clusterName })
    return row ? JSON.parse(row.document) : []
  },

  /** Replaces all analyzers of a cluster. */
  async put(
    session: Session,
    { groupId, clusterName }: OnCluster,
    analyzers: SearchAnalyzers,
  ): Promise<void> {
    await session.all(put, { groupId, clusterName, document: JSON.stringify(analyzers) })
  },
}
