import { sql } from 'kysely'
import type { SnapshotDocument, SnapshotDocuments, SnapshotKind } from '../domain/backups/backup-schemas.ts'
import {
  isUnfinished,
  type StoredSnapshot,
  shownSnapshot,
  unfinishedStates,
} from '../domain/backups/snapshot.ts'
import { Stored } from '../domain/stored.ts'
import type { Window } from './alert-lists.ts'
import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

export interface Snapshot<D = SnapshotDocument> extends StoredSnapshot<D> {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  readonly kind: SnapshotKind
  readonly onDemand: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

/** The fields required for removing an expired snapshot. */
export type ExpiredSnapshot = Pick<Snapshot, 'id' | 'groupId' | 'clusterName' | 'expiresAt'>

/** Selects a cluster's snapshots of one kind that haven't expired at a given time. */
export interface SnapshotSelection<K extends SnapshotKind = SnapshotKind> {
  readonly groupId: string
  readonly clusterName: string
  readonly kind: K
  readonly now: number
}

type Selection = { groupId: string; clusterName: string; kind: string; now: number }
type Cluster = { groupId: string; clusterName: string }

const columns = [
  'id',
  'group_id as groupId',
  'cluster_name as clusterName',
  'kind',
  'on_demand as onDemand',
  'state',
  'since',
  'size_bytes as sizeBytes',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'document',
] as const

const find = statement((db, $: Slots<Cluster & { id: string; now: number }>, dialect) =>
  db
    .selectFrom('snapshots')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('expires_at', '>', $('now'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const get = statement((db, $: Slots<Selection & { id: string }>) =>
  db
    .selectFrom('snapshots')
    .select(['id', 'state', 'since', 'size_bytes as sizeBytes', 'document'])
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('kind', '=', $('kind'))
    .where('expires_at', '>', $('now')),
)
const page = statement((db, $: Slots<Selection & { limit: number; offset: number }>) =>
  db
    .selectFrom('snapshots')
    .select(['id', 'state', 'since', 'size_bytes as sizeBytes', 'document'])
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('kind', '=', $('kind'))
    .where('expires_at', '>', $('now'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const count = statement((db, $: Slots<Selection>) =>
  db
    .selectFrom('snapshots')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('kind', '=', $('kind'))
    .where('expires_at', '>', $('now')),
)
const maybeUnfinished = statement((db, $: Slots<Cluster & { now: number }>) =>
  db
    .selectFrom('snapshots')
    .select(['id', 'state', 'since'])
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('on_demand', '=', 1)
    .where('state', 'in', unfinishedStates)
    .where('expires_at', '>', $('now')),
)
const scheduled = statement((db, $: Slots<Cluster & { now: number }>, dialect) =>
  db
    .selectFrom('snapshots')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('on_demand', '=', 0)
    .where('expires_at', '>', $('now'))
    .orderBy('created_at')
    .orderBy('id')
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const copyable = statement((db, $: Slots<Cluster & { now: number }>, dialect) =>
  db
    .selectFrom('snapshots')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('kind', '=', 'replicaSet')
    .where('expires_at', '>', $('now'))
    .orderBy('created_at')
    .orderBy('id')
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

const { put } = rowsOf('snapshots', {
  key: ['id'],
  fixed: ['group_id', 'cluster_name', 'kind', 'on_demand', 'created_at'],
  changing: ['state', 'since', 'size_bytes', 'expires_at', 'document'],
})
const remove = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('snapshots').where('id', '=', $('id')),
)
/**
 * Prevents the database from finding expired snapshots with the project index. With the project index, the database
 * would read all snapshots in a project. The expiry index is faster. Only a few expired snapshots exist at any time,
 * because each read removes those that it finds.
 */
export const groupAmongExpired = sql<string>`group_id || ''`

const expired = statement((db, $: Slots<{ groupId: string; now: number; limit: number }>, dialect) =>
  db
    .selectFrom('snapshots')
    .select(['id', 'group_id as groupId', 'cluster_name as clusterName', 'expires_at as expiresAt'])
    .where(groupAmongExpired, '=', $('groupId'))
    .where('expires_at', '<=', $('now'))
    .orderBy('expires_at')
    .limit($('limit'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const groupOfExpired = statement((db, $: Slots<{ now: number }>) =>
  db
    .selectFrom('snapshots')
    .select('group_id as groupId')
    .where('expires_at', '<=', $('now'))
    .orderBy('expires_at')
    .limit(1),
)

/** Reads and writes snapshots of clusters and serverless instances. Lists are sorted by creation time. */
export const snapshots = {
  async get<K extends SnapshotKind>(session: Session, which: SnapshotSelection<K>, id: string) {
    const row = await session.one(get, { ...which, id })
    return row && shown<SnapshotDocuments[K]>(row, which.now)
  },

  /** Returns a snapshot of any kind with all its columns. In a transaction, also locks the snapshot. */
  async find(session: Session, cluster: Cluster, id: string, now: number): Promise<Snapshot | undefined> {
    const row = await session.one(find, { ...cluster, id, now })
    return row && snapshotOf(row)
  },

  async page<K extends SnapshotKind>(
    session: Session,
    which: SnapshotSelection<K>,
    { limit, offset }: Window,
  ) {
    const rows = await session.all(page, { ...which, limit, offset })
    return rows.map((row) => ({ id: row.id, document: shown<SnapshotDocuments[K]>(row, which.now) }))
  },

  async count(session: Session, which: SnapshotSelection): Promise<number> {
    return Number((await session.one(count, { ...which }))?.total ?? 0)
  },

  /**
   * Returns whether an on-demand snapshot is in progress. Checks all on-demand snapshots, because the unfinished
   * snapshot may not be the latest one after the clock is set back.
   */
  async isOneOnDemandBeingTaken(session: Session, cluster: Cluster, now: number): Promise<boolean> {
    const rows = await session.all(maybeUnfinished, { ...cluster, now })
    return rows.some((row) => isUnfinished(row, now))
  },

  /** Locks and returns a cluster's scheduled snapshots. */
  async scheduled(session: Session, cluster: Cluster, now: number): Promise<Snapshot[]> {
    return (await session.all(scheduled, { ...cluster, now })).map(snapshotOf)
  },

  /**
   * Locks and returns all snapshots that may have copies. Snapshots of sharded clusters are excluded, because they
   * don't list their copies.
   */
  async copyable(session: Session, cluster: Cluster, now: number): Promise<Snapshot[]> {
    return (await session.all(copyable, { ...cluster, now })).map(snapshotOf)
  },

  async put(session: Session, { onDemand, document, ...snapshot }: Snapshot): Promise<void> {
    await session.all(put, { ...snapshot, onDemand: onDemand ? 1 : 0, document: document.text })
  },

  async remove(session: Session, id: string): Promise<void> {
    await session.all(remove, { id })
  },

  /** Locks and returns a project's expired snapshots that haven't been removed, earliest expiry first. */
  expired: (
    session: Session,
    groupId: string,
    now: number,
    limit: number,
  ): Promise<readonly ExpiredSnapshot[]> => session.all(expired, { groupId, now, limit }),

  /** Returns the ID of a project with expired snapshots that haven't been removed. */
  async groupOfExpired(session: Session, now: number): Promise<string | undefined> {
    return (await session.one(groupOfExpired, { now }))?.groupId
  },
}

interface ShownRow {
  id: string
  state: string
  since: number
  sizeBytes: number
  document: string
}

function shown<D extends SnapshotDocument>({ document, ...row }: ShownRow, now: number): Stored<D> {
  return shownSnapshot({ ...row, document: Stored.from<D>(document) }, now)
}

interface Row extends ShownRow {
  id: string
  groupId: string
  clusterName: string
  kind: string
  onDemand: number
  createdAt: number
  expiresAt: number
}

const kinds: readonly SnapshotKind[] = ['replicaSet', 'shardedCluster', 'serverless']

function snapshotOf({ document, onDemand, kind, ...row }: Row): Snapshot {
  const known = kinds.find((one) => one === kind) ?? 'replicaSet'
  return { ...row, kind: known, onDemand: onDemand === 1, document: Stored.from(document) }
}
