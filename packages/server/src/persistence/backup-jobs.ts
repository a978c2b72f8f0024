import { Stored } from '../domain/stored.ts'
import type { Window } from './alert-lists.ts'
import type { Session } from './database.ts'
import { type RowOf, type Rows, rowsOf } from './rows.ts'

export interface BackupJob<D> {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  /** The snapshot's ID, or an empty string for point-in-time restores. */
  readonly snapshotId: string
  readonly state: string
  readonly since: number
  readonly createdAt: number
  readonly document: Stored<D>
}

export type Cluster = { groupId: string; clusterName: string }

type JobTable = 'export_jobs' | 'restore_jobs'

/** The columns of a stored job, which are the same for export and restore jobs. */
type Row = RowOf<JobTable>

export const jobOf = <D>({ document, ...row }: Row): BackupJob<D> => ({
  ...row,
  document: Stored.from(document),
})

export const jobRows = (table: JobTable): Rows<JobTable> =>
  rowsOf(table, {
    key: ['id'],
    fixed: ['group_id', 'cluster_name', 'snapshot_id', 'created_at'],
    changing: ['state', 'since', 'document'],
  })

/**
 * Creates a store for jobs on clusters. Lists are sorted by creation time.
 *
 * @param shown Returns a job's document at a given time.
 */
export function jobStore<D>(rows: Rows<JobTable>, shown: (job: BackupJob<D>, now: number) => Stored<D>) {
  const get = rows.get(['id', 'group_id', 'cluster_name'])
  const find = rows.find(['id', 'group_id', 'cluster_name'])
  const page = rows.page(['group_id', 'cluster_name'])
  const count = rows.count(['group_id', 'cluster_name'])
  return {
    async get(session: Session, cluster: Cluster, id: string, now: number) {
      const row = await session.one(get, { ...cluster, id })
      return row && shown(jobOf(row), now)
    },

    /** Returns a job with all its columns. In a transaction, also locks the job. */
    async find(session: Session, cluster: Cluster, id: string): Promise<BackupJob<D> | undefined> {
      const row = await session.one(find, { ...cluster, id })
      return row && jobOf(row)
    },

    async page(session: Session, cluster: Cluster, { limit, offset }: Window, now: number) {
      const rows = await session.all(page, { ...cluster, limit, offset })
      return rows.map((row) => ({ id: row.id, document: shown(jobOf(row), now) }))
    },

    async count(session: Session, cluster: Cluster): Promise<number> {
      return Number((await session.one(count, cluster))?.total ?? 0)
    },

    async put(session: Session, { document, ...job }: BackupJob<D>): Promise<void> {
      await session.all(rows.put, { ...job, document: document.text })
    },
  }
}
