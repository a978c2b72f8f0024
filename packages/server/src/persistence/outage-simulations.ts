import type { components } from '@svc-admin/types/newest'
import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'
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

const rows = rowsOf('outage_simulations', {
  key: ['group_id', 'cluster_name'],
  changing: ['id', 'state', 'since', 'started_at', 'filters'],
})
const find = rows.find(['group_id', 'cluster_name'])

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
    await session.all(rows.put, { ...simulation, filters: JSON.stringify(filters) })
  },
}
