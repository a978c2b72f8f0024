import { initialRestoreState, type StoredRestoreJob, shownRestoreJob } from '../domain/backups/restore-job.ts'
import { Stored } from '../domain/stored.ts'
import type { Window } from './alert-lists.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

/** A stored job with its state and document. */
export interface RestoreJob extends StoredRestoreJob {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  /** Empty for a point-in-time restore. */
  readonly snapshotId: string
  readonly createdAt: number
}

type Cluster = { groupId: string; clusterName: string }

const columns = [
  'id',
  'group_id as groupId',
  'cluster_name as clusterName',
  'snapshot_id as snapshotId',
  'state',
  'since',
  'created_at as createdAt',
  'document',
] as const

const find = statement((db, $: Slots<Cluster & { id: string }>, dialect) =>
  db
    .selectFrom('restore_jobs')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const get = statement((db, $: Slots<Cluster & { id: string }>) =>
  db
    .selectFrom('restore_jobs')
    .select(['id', 'state', 'since', 'document'])
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName')),
)
const page = statement((db, $: Slots<Cluster & { limit: number; offset: number }>) =>
  db
    .selectFrom('restore_jobs')
    .select(['id', 'state', 'since', 'document'])
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const count = statement((db, $: Slots<Cluster>) =>
  db
    .selectFrom('restore_jobs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName')),
)

const ofSnapshot = statement((db, $: Slots<Cluster & { snapshotId: string }>, dialect) =>
  db
    .selectFrom('restore_jobs')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('snapshot_id', '=', $('snapshotId'))
    .where('state', '=', initialRestoreState)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

interface Values extends Record<string, string | number> {
  id: string
  groupId: string
  clusterName: string
  snapshotId: string
  state: string
  since: number
  createdAt: number
  document: string
}

const put = statement((db, $: Slots<Values>) => {
  const changing = { state: $('state'), since: $('since'), document: $('document') }
  return db
    .insertInto('restore_jobs')
    .values({
      id: $('id'),
      group_id: $('groupId'),
      cluster_name: $('clusterName'),
      snapshot_id: $('snapshotId'),
      created_at: $('createdAt'),
      ...changing,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
})

/** Clusters' restore jobs, listed in order of creation. */
export const restoreJobs = {
  /** Returns a job's document at a given time. */
  async get(session: Session, cluster: Cluster, id: string, now: number) {
    const row = await session.one(get, { ...cluster, id })
    return row && shown(row, now)
  },

  /** Returns the complete job. In a transaction, also locks the job. */
  async find(session: Session, cluster: Cluster, id: string): Promise<RestoreJob | undefined> {
    const row = await session.one(find, { ...cluster, id })
    return row && { ...row, document: Stored.from(row.document) }
  },

  /** Locks and returns a snapshot's restores, except those that are stored as ended. */
  async ofSnapshot(session: Session, cluster: Cluster, snapshotId: string): Promise<RestoreJob[]> {
    const { groupId, clusterName } = cluster
    const rows = await session.all(ofSnapshot, { groupId, clusterName, snapshotId })
    return rows.map((row) => ({ ...row, document: Stored.from(row.document) }))
  },

  async page(session: Session, cluster: Cluster, { limit, offset }: Window, now: number) {
    const rows = await session.all(page, { ...cluster, limit, offset })
    return rows.map((row) => ({ id: row.id, document: shown(row, now) }))
  },

  async count(session: Session, cluster: Cluster): Promise<number> {
    return Number((await session.one(count, cluster))?.total ?? 0)
  },

  /** Inserts or updates a job. */
  async put(session: Session, { document, ...job }: RestoreJob): Promise<void> {
    await session.all(put, { ...job, document: document.text })
  },
}

const shown = (
  { document, ...row }: { id: string; state: string; since: number; document: string },
  now: number,
) => shownRestoreJob({ ...row, document: Stored.from(document) }, now)
