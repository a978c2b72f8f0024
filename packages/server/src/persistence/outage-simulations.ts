import type { components } from '@svc-admin/types/newest'
import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

export type OutageFilters = components['schemas']['OutageFilters']

export interface OutageSimulation {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  /** The last state that was set explicitly. Later states are calculated from the clock. */
  readonly state: string
  readonly since: number
  /** The time when the simulation was requested. */
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

/** Reads and writes outage simulations. Only the latest simulation of each cluster is stored. */
export const outageSimulations = {
  /** Returns a cluster's outage simulation. In a transaction, also locks the simulation. */
  async find(session: Session, groupId: string, clusterName: string): Promise<OutageSimulation | undefined> {
    const row = await session.one(find, { groupId, clusterName })
    return row && { ...row, filters: JSON.parse(row.filters) }
  },

  /** Returns the simulations in a project. A cluster has at most one simulation. */
  inProject: (session: Session, groupId: string) => session.all(inProject, { groupId }),

  async put(session: Session, { filters, ...simulation }: OutageSimulation): Promise<void> {
    await session.all(rows.put, { ...simulation, filters: JSON.stringify(filters) })
  },
}
