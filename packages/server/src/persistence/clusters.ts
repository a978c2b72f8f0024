import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

export interface Cluster {
  readonly groupId: string
  readonly name: string
  readonly id: string
  /** The tier, such as `M0`, `M10`, `SERVERLESS` or `FLEX`. */
  readonly tier: string
  readonly type: string
  readonly databaseVersion: string
  readonly provider: string
}

export const clusterColumns = [
  'clusters.group_id as groupId',
  'clusters.name',
  'clusters.id',
  'clusters.tier',
  'clusters.type',
  'clusters.database_version as databaseVersion',
  'clusters.provider',
] as const

const byName = statement((db, $: Slots<{ groupId: string; name: string }>) =>
  db
    .selectFrom('clusters')
    .select(clusterColumns)
    .where('group_id', '=', $('groupId'))
    .where('name', '=', $('name')),
)
const byHost = statement((db, $: Slots<{ groupId: string; hostname: string }>) =>
  db
    .selectFrom('cluster_hosts')
    .innerJoin('clusters', (join) =>
      join
        .onRef('clusters.group_id', '=', 'cluster_hosts.group_id')
        .onRef('clusters.name', '=', 'cluster_hosts.cluster_name'),
    )
    .select(clusterColumns)
    .where('cluster_hosts.group_id', '=', $('groupId'))
    .where('cluster_hosts.hostname', '=', $('hostname')),
)
const locked = statement((db, $: Slots<{ groupId: string; name: string }>, dialect) =>
  db
    .selectFrom('clusters')
    .select('id')
    .where('group_id', '=', $('groupId'))
    .where('name', '=', $('name'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const ofProject = statement((db, $: Slots<{ groupId: string }>) =>
  db.selectFrom('clusters').select(clusterColumns).where('group_id', '=', $('groupId')).orderBy('name'),
)
const tiers = statement((db, $: Slots<{ groupId: string }>) =>
  db.selectFrom('clusters').select('tier').distinct().where('group_id', '=', $('groupId')).orderBy('tier'),
)
const hostnames = statement((db, $: Slots<{ groupId: string; name: string }>) =>
  db
    .selectFrom('cluster_hosts')
    .select('hostname')
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('name'))
    .orderBy('hostname'),
)

const { put } = rowsOf('clusters', {
  key: ['group_id', 'name'],
  fixed: ['created_at'],
  changing: ['id', 'tier', 'type', 'database_version', 'provider'],
})
const dropHosts = statement((db, $: Slots<{ groupId: string; name: string }>) =>
  db.deleteFrom('cluster_hosts').where('group_id', '=', $('groupId')).where('cluster_name', '=', $('name')),
)
const putHost = statement((db, $: Slots<{ groupId: string; hostname: string; name: string }>) =>
  db
    .insertInto('cluster_hosts')
    .values({ group_id: $('groupId'), hostname: $('hostname'), cluster_name: $('name') })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'hostname']).doUpdateSet({ cluster_name: $('name') }),
    ),
)

/**
 * Reads and writes clusters, serverless instances and flex clusters. The tables contain only the fields that the
 * operations need.
 */
export const clusters = {
  byName: (session: Session, groupId: string, name: string): Promise<Cluster | undefined> =>
    session.one(byName, { groupId, name }),

  byHost: (session: Session, groupId: string, hostname: string): Promise<Cluster | undefined> =>
    session.one(byHost, { groupId, hostname }),

  /** Locks a cluster and everything that belongs to it until the transaction ends. */
  async lock(session: Session, groupId: string, name: string): Promise<void> {
    await session.one(locked, { groupId, name })
  },

  /** Returns a project's clusters, sorted by name. */
  ofProject: (session: Session, groupId: string): Promise<readonly Cluster[]> =>
    session.all(ofProject, { groupId }),

  /** Returns the distinct tiers of a project's clusters. */
  async tiers(session: Session, groupId: string): Promise<string[]> {
    return (await session.all(tiers, { groupId })).map((row) => row.tier)
  },

  /** Returns a cluster's hosts, sorted by name. */
  async hostnames(session: Session, groupId: string, name: string): Promise<string[]> {
    return (await session.all(hostnames, { groupId, name })).map((row) => row.hostname)
  },

  /** Creates or replaces a cluster and its hosts. */
  async put(session: Session, cluster: Cluster, hostnames: readonly string[], at: number): Promise<void> {
    await session.all(put, { ...cluster, createdAt: at })
    const { groupId, name } = cluster
    await session.all(dropHosts, { groupId, name })
    for (const hostname of hostnames) await session.all(putHost, { groupId, hostname, name })
  },
}
