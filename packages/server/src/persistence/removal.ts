import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'
import { tablesOwnedBy } from './world-tables.ts'

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
/** The tables that identify rows by a globally unique ID. */
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
/**
 * No index exists for this statement. The statement reads all tokens through a different index. This is fast enough,
 * because expired tokens are deleted.
 */
const tokensOf = statement((db, $: Slots<{ id: string }>) =>
  db.deleteFrom('tokens').where('expires_at', '>', 0).where('client_id', '=', $('id')),
)

/**
 * Deletes resources that the API can't delete, including everything in them. The sandbox removes or replaces seeded
 * resources with these methods. If a resource doesn't exist, these methods have no effect.
 */
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

  /** Deletes the resource with this ID in any project, organization or cluster. */
  async identified(session: Session, table: Identified, id: string): Promise<void> {
    const statement = byId.get(table)
    if (!statement) throw new RangeError(`Rows of ${table} can't be found by their id alone`)
    await session.all(statement, { id })
  },

  /**
   * Deletes an API key. No other rows depend on the key, because each request is signed with the key's secret. Nonces
   * that were used with the key aren't deleted.
   */
  async apiKey(session: Session, publicKey: string): Promise<void> {
    await session.all(apiKey, { id: publicKey })
  },

  /**
   * Deletes a service account and its tokens. If the tokens weren't deleted, they would also be valid for a new account
   * with the same client ID.
   */
  async serviceAccount(session: Session, clientId: string): Promise<void> {
    for (const statement of [tokensOf, serviceAccount]) await session.all(statement, { id: clientId })
  },
}
