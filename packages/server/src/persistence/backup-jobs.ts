import { Stored } from '../domain/stored.ts'
import type { Window } from './alert-lists.ts'
import type { Session } from './database.ts'
import { type RowOf, type Rows, rowsOf } from './rows.ts'

/** A stored job with its state and document. */
export interface BackupJob<D> {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  /** Empty for a point-in-time restore. */
  readonly snapshotId: string
  readonly state: string
  readonly since: number
  readonly createdAt: number
  readonly document: Stored<D>
}

export type Cluster = { groupId: string; clusterName: string }

type JobTable = 'export_jobs' | 'restore_jobs'

/** A stored job's columns, which are the same for both kinds of jobs. */
type Row = RowOf<JobTable>

export const jobOf = <D>({ document, ...row }: Row): BackupJob<D> => ({
  ...row,
  document: Stored.from(document),
})

/** Builds the statements for a table of jobs. */
export const jobRows = (table: JobTable): Rows<JobTable> =>
  rowsOf(table, {
    key: ['id'],
    fixed: ['group_id', 'cluster_name', 'snapshot_id', 'created_at'],
    changing: ['state', 'since', 'document'],
  })

/**
 * Creates a store for cluster jobs. Jobs are listed in order of creation.
 *
 * @param shown returns a job's document at a given time.
 */
export function jobStore<D>(rows: Rows<JobTable>, shown: (job: BackupJob<D>, now: number) => Stored<D>) {
  const get = rows.get(['id', 'group_id', 'cluster_name'])
  const find = rows.find(['id', 'group_id', 'cluster_name'])
  const page = rows.page(['group_id', 'cluster_name'])
  const count = rows.count(['group_id', 'cluster_name'])
  return {
    /** Returns a job's document at a given time. */
    async get(session: Session, cluster: Cluster, id: string, now: number) {
      const row = await session.one(get, { ...cluster, id })
      return row && shown(jobOf(row), now)
    },

    /** Returns the complete job. In a transaction, also locks the job. */
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

    /** Inserts or updates a job. */
    async put(session: Session, { document, ...job }: BackupJob<D>): Promise<void> {
      await session.all(rows.put, { ...job, document: document.text })
    },
  }
}
