import type { components } from '@svc-admin/types/newest'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

export type OutageFilters = components['schemas']['OutageFilters']

/** A cluster's latest outage simulation. */
export interface OutageSimulation {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  /** The last state that was set explicitly, with its time. Later states follow from the clock. */
  readonly state: string
  readonly since: number
  /** The time when the caller requested the start. */
  readonly startedAt: number
  readonly filters: OutageFilters
}

const inProject = statement((db, $: Slots<{ groupId: string }>) =>
  db.selectFrom('outage_simulations').select(['id', 'state', 'since']).where('group_id', '=', $('groupId')),
)

type Key = { groupId: string; clusterName: string }

const find = statement((db, $: Slots<Key>, dialect) =>
  db
    .selectFrom('outage_simulations')
    .select([
      'id',
      'group_id as groupId',
      'cluster_name as clusterName',
      'state',
      'since',
      'started_at as startedAt',
      'filters',
    ])
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

interface Values extends Record<string, string | number> {
  id: string
  groupId: string
  clusterName: string
  state: string
  since: number
  startedAt: number
  filters: string
}

const put = statement((db, $: Slots<Values>) => {
  const changing = {
    id: $('id'),
    state: $('state'),
    since: $('since'),
    started_at: $('startedAt'),
    filters: $('filters'),
  }
  return db
    .insertInto('outage_simulations')
    .values({ group_id: $('groupId'), cluster_name: $('clusterName'), ...changing })
    .onConflict((conflict) => conflict.columns(['group_id', 'cluster_name']).doUpdateSet(changing))
})

/** Outage simulations. Only each cluster's latest simulation is stored. */
export const outageSimulations = {
  /** In a transaction, also locks the simulation. */
  async find(session: Session, groupId: string, clusterName: string): Promise<OutageSimulation | undefined> {
    const row = await session.one(find, { groupId, clusterName })
    return row && { ...row, filters: JSON.parse(row.filters) }
  },

  /** Returns a project's simulations. Each cluster has at most one. */
  inProject: (session: Session, groupId: string) => session.all(inProject, { groupId }),

  async put(session: Session, { filters, ...simulation }: OutageSimulation): Promise<void> {
    await session.all(put, { ...simulation, filters: JSON.stringify(filters) })
  },
}
