import type { Tables } from './schema.ts'

/** The columns that identify a row's owner, which is an organization, a project, or a cluster in a project. */
export const ownerColumns = ['org_id', 'group_id', 'cluster_name'] as const

type OwnerColumn = (typeof ownerColumns)[number]

/**
 * The tables with a world's contents. The contents exclude the keys and the clock (`settings`), the derived counts
 * (`row_counts`) and `migrations`. `nonce_uses` is also excluded, because a restored world must not accept a replayed
 * request (RFC 7616 §5.5).
 */
export type WorldTable = Exclude<keyof Tables, 'migrations' | 'settings' | 'row_counts' | 'nonce_uses'>

type OwnersOf<T extends WorldTable> = readonly Extract<OwnerColumn, keyof Tables[T]>[]

const ofOrganization = ['org_id'] as const
const ofProject = ['group_id'] as const
const ofCluster = ['group_id', 'cluster_name'] as const

/** The tables with contents and their owner columns. */
export const ownersByTable = {
  organizations: [],
  projects: ofOrganization,
  clusters: ofProject,
  cluster_hosts: ofCluster,
  api_keys: [],
  service_accounts: [],
  tokens: [],
  rate_windows: [],
  reached_states: [],
  access_logs: ofCluster,
  alert_configs: ofProject,
  alerts: ofProject,
  outbox: ofProject,
  webhook_deliveries: ofProject,
  access_roles: ofProject,
  auditing_configs: ofProject,
  custom_dns: ofProject,
  outage_simulations: ofCluster,
  live_migrations: ofProject,
  migration_validations: ofProject,
  link_tokens: ofOrganization,
  migration_projects: ofOrganization,
  search_analyzers: ofCluster,
  search_indexes: ofCluster,
  search_nodes: ofCluster,
  export_buckets: ofProject,
  backup_schedules: ofCluster,
  snapshots: ofCluster,
  restore_jobs: ofCluster,
  export_jobs: ofCluster,
  compliance_policies: ofProject,
} as const satisfies { readonly [T in WorldTable]: OwnersOf<T> }

type OwnedBy<C extends OwnerColumn> = {
  [T in WorldTable]: C extends (typeof ownersByTable)[T][number] ? T : never
}[WorldTable]

const isWorldTable = (name: string): name is WorldTable => Object.hasOwn(ownersByTable, name)

export const worldTables: readonly WorldTable[] = Object.keys(ownersByTable).filter(isWorldTable)

/** Returns the tables with the given owner column. */
export function tablesOwnedBy<C extends OwnerColumn>(column: C): OwnedBy<C>[] {
  const columnsOf: Readonly<Record<WorldTable, readonly OwnerColumn[]>> = ownersByTable
  return worldTables.filter((table): table is OwnedBy<C> => columnsOf[table].includes(column))
}
