import { sql } from 'kysely'
import type { ScheduleDocument } from '../domain/backups/backup-schemas.ts'
import { activePolicyState } from '../domain/backups/compliance.ts'
import { Stored } from '../domain/stored.ts'
import { type Cluster, clusterColumns } from './clusters.ts'
import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'
import { groupAmongExpired } from './snapshots.ts'
import { type Slots, statement } from './statement.ts'

export interface BackupSchedule {
  readonly groupId: string
  readonly clusterName: string
  /** The time of the next snapshot, or undefined if no more snapshots are scheduled. */
  readonly nextAt: number | undefined
  readonly document: Stored<ScheduleDocument>
}

type Key = { groupId: string; clusterName: string }

const find = statement((db, $: Slots<Key>) =>
  db
    .selectFrom('backup_schedules')
    .select(['next_at as nextAt', 'document'])
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName')),
)
const due = statement((db, $: Slots<Key & { now: number }>) =>
  db
    .selectFrom('backup_schedules')
    .select(sql.lit('snapshot').as('what'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('next_at', '<=', $('now'))
    .unionAll(
      db
        .selectFrom('compliance_policies')
        .select(sql.lit('rewriting').as('what'))
        .where('group_id', '=', $('groupId'))
        .where('overwrites', '=', 1)
        .where('state', '<>', activePolicyState),
    )
    .unionAll(
      db
        .selectFrom('snapshots')
        .select(sql.lit('expiry').as('what'))
        .where(groupAmongExpired, '=', $('groupId'))
        .where('expires_at', '<=', $('now')),
    ),
)
const overdue = statement((db, $: Slots<{ now: number }>) =>
  db
    .selectFrom('backup_schedules')
    .innerJoin('clusters', (join) =>
      join
        .onRef('clusters.group_id', '=', 'backup_schedules.group_id')
        .onRef('clusters.name', '=', 'backup_schedules.cluster_name'),
    )
    .select(clusterColumns)
    .where('backup_schedules.next_at', '<=', $('now')),
)
const exporting = statement((db, $: Slots<{ groupId: string; bucketId: string }>) =>
  db
    .selectFrom('backup_schedules')
    .select((eb) => eb.fn.min<string | null>('cluster_name').as('clusterName'))
    .where('group_id', '=', $('groupId'))
    .where('export_bucket_id', '=', $('bucketId')),
)

const { put } = rowsOf('backup_schedules', {
  key: ['group_id', 'cluster_name'],
  changing: ['next_at', 'export_bucket_id', 'document'],
})
const remove = statement((db, $: Slots<{ groupId: string; clusterName: string }>) =>
  db
    .deleteFrom('backup_schedules')
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName')),
)

/** Reads and writes backup schedules. Lock the cluster before you change its backup schedule. */
export const backupSchedules = {
  async find(session: Session, groupId: string, clusterName: string): Promise<BackupSchedule | undefined> {
    const row = await session.one(find, { groupId, clusterName })
    if (!row) return undefined
    return { groupId, clusterName, nextAt: row.nextAt ?? undefined, document: Stored.from(row.document) }
  },

  /**
   * Returns which tasks are due. The tasks are to take snapshots of the cluster, rewrite its schedule for a newly
   * active compliance policy, and remove the project's expired snapshots. All checks share a single statement, because
   * every backup request runs these checks.
   */
  async due(session: Session, groupId: string, clusterName: string, now: number) {
    const rows = await session.all(due, { groupId, clusterName, now })
    const has = (what: string) => rows.some((row) => row.what === what)
    return { snapshot: has('snapshot'), rewriting: has('rewriting'), expiry: has('expiry') }
  },

  /** Returns the clusters with due snapshots. The order of the clusters is the same on every database. */
  async overdue(session: Session, now: number): Promise<readonly Cluster[]> {
    return [...(await session.all(overdue, { now }))].sort(byPlace)
  },

  /**
   * Returns the name of a cluster whose snapshots are automatically exported to a bucket. If there are several such
   * clusters, returns the first name in alphabetical order.
   */
  async exportingTo(session: Session, groupId: string, bucketId: string): Promise<string | undefined> {
    return (await session.one(exporting, { groupId, bucketId }))?.clusterName ?? undefined
  },

  async put(session: Session, { nextAt, document, ...key }: BackupSchedule): Promise<void> {
    const { autoExportEnabled, export: target } = document.value()
    await session.all(put, {
      ...key,
      nextAt: nextAt ?? null,
      exportBucketId: autoExportEnabled ? (target?.exportBucketId ?? '') : '',
      document: document.text,
    })
  },

  async remove(session: Session, groupId: string, clusterName: string): Promise<void> {
    await session.all(remove, { groupId, clusterName })
  },
}

const byPlace = (a: Cluster, b: Cluster): number => {
  const place = (one: Cluster) => `${one.groupId} ${one.name}`
  return place(a) < place(b) ? -1 : 1
}
