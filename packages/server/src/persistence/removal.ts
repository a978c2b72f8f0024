import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'
import { tablesOwnedBy } from './world-tables.ts'

// No operation of the API removes these; only a sandbox does, when somebody takes away what he put there, or puts
// something else in its place.

interface OfCluster extends Record<string, string> {
  groupId: string
  clusterName: string
}

const project = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('projects').where('id', '=', $('id')),
)
const inProject = tablesOwnedBy('group_id').map((table) =>
  statement((db, $: Slots<{ id: string }>) => db.deleteFrom(table).where('group_id', '=', $('id'))),
)
const cluster = statement((db, $: Slots<OfCluster>) =>
  db.deleteFrom('clusters').where('group_id', '=', $('groupId')).where('name', '=', $('clusterName')),
)
const inCluster = tablesOwnedBy('cluster_name').map((table) =>
  statement((db, $: Slots<OfCluster>) =>
    db.deleteFrom(table).where('group_id', '=', $('groupId')).where('cluster_name', '=', $('clusterName')),
  ),
)
const projectsOf = statement((db, $: Slots<{ id: string }>) =>
  db.selectFrom('projects').select('id').where('org_id', '=', $('id')),
)
const organization = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('organizations').where('id', '=', $('id')),
)
const inOrganization = tablesOwnedBy('org_id').map((table) =>
  statement((db, $: Slots<{ id: string }>) => db.deleteFrom(table).where('org_id', '=', $('id'))),
)
/** Tables in which an id is found wherever it is: no two rows have the same. */
const identified = [
  'alert_configs',
  'alerts',
  'access_roles',
  'export_buckets',
  'snapshots',
  'restore_jobs',
  'export_jobs',
  'live_migrations',
  'migration_validations',
  'search_indexes',
] as const
type Identified = (typeof identified)[number]

const ofId = (table: Identified) =>
  statement((db, $: Slots<{ id: string }>) => db.deleteFrom(table).where('id', '=', $('id')))
const byId = new Map(identified.map((table) => [table, ofId(table)]))

const apiKey = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('api_keys').where('public_key', '=', $('id')),
)
const serviceAccount = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('service_accounts').where('client_id', '=', $('id')),
)
// All tokens are read, by the index that there is: only so many are there as were issued in the lifetime of one.
const tokensOf = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('tokens').where('expires_at', '>', 0).where('client_id', '=', $('id')),
)

/** Removes tenants, clusters and credentials, with everything that is theirs. What is not there is no matter. */
export const removal = {
  async organization(session: Session, id: string): Promise<void> {
    for (const own of await session.all(projectsOf, { id })) await removal.project(session, own.id)
    for (const statement of [...inOrganization, organization]) await session.all(statement, { id })
  },

  async project(session: Session, id: string): Promise<void> {
    for (const statement of [...inProject, project]) await session.all(statement, { id })
  },

  async cluster(session: Session, groupId: string, clusterName: string): Promise<void> {
    for (const statement of [...inCluster, cluster]) await session.all(statement, { groupId, clusterName })
  },

  /** Makes room for a resource of the id, in whichever project, organization or cluster there is one. */
  async identified(session: Session, table: Identified, id: string): Promise<void> {
    const statement = byId.get(table)
    if (!statement) throw new RangeError(`No row of ${table} is found by its id alone`)
    await session.all(statement, { id })
  },

  /** Nothing hangs on it: its secret is in every request, and what was counted of its nonces stays counted. */
  async apiKey(session: Session, publicKey: string): Promise<void> {
    await session.all(apiKey, { id: publicKey })
  },

  /** With its tokens: they would be good again for another account that gets its client id. */
  async serviceAccount(session: Session, clientId: string): Promise<void> {
    for (const statement of [tokensOf, serviceAccount]) await session.all(statement, { id: clientId })
  },
}
