/** Kysely types for the tables with access roles, auditing, custom DNS, outage simulations and live migrations. */
export interface PlatformTables {
  access_roles: AccessRoleTable
  auditing_configs: { group_id: string; document: string }
  custom_dns: { group_id: string; enabled: number }
  outage_simulations: OutageSimulationTable
  live_migrations: LiveMigrationTable
  migration_validations: MigrationValidationTable
  /** The link token of each organization. A new token replaces the previous one. Only the hash of a token is stored. */
  link_tokens: { org_id: string; hash: string; access_list: string; created_at: number }
  migration_projects: { org_id: string; id: string; position: number; document: string }
}

interface AccessRoleTable {
  id: string
  group_id: string
  provider: string
  /** The time when the role was authorized, or null if the role isn't authorized. */
  authorized_at: number | null
  created_at: number
  document: string
}

interface OutageSimulationTable {
  group_id: string
  cluster_name: string
  id: string
  state: string
  since: number
  started_at: number
  filters: string
}

interface LiveMigrationTable {
  id: string
  group_id: string
  state: string
  since: number
  /** `FAILED` if the resource will fail, otherwise an empty string. */
  target: string
  /** The hosts in the request, as JSON. */
  hosts: string
  created_at: number
}

interface MigrationValidationTable {
  id: string
  group_id: string
  /** The source project's ID, or an empty string if the request didn't contain it. */
  source_group_id: string
  state: string
  since: number
  target: string
  /** The problem that would prevent the migration, or an empty string if there is none. */
  failure: string
  created_at: number
}
