/** Kysely types of the tables for access roles, auditing, custom DNS, outage simulations and live migrations. */
export interface PlatformTables {
  access_roles: AccessRoleTable
  auditing_configs: { group_id: string; document: string }
  custom_dns: { group_id: string; enabled: number }
  outage_simulations: OutageSimulationTable
  live_migrations: LiveMigrationTable
  migration_validations: MigrationValidationTable
  /** Each organization has one token. A new token invalidates the previous one, and the token itself isn't stored. */
  link_tokens: { org_id: string; hash: string; access_list: string; created_at: number }
  migration_projects: { org_id: string; id: string; position: number; document: string }
}

interface AccessRoleTable {
  id: string
  group_id: string
  provider: string
  /** Null until the role is authorized. */
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
  /** The target state of a resource that will fail: `FAILED`, or empty. */
  target: string
  /** The hosts from the request as JSON. */
  hosts: string
  created_at: number
}

interface MigrationValidationTable {
  id: string
  group_id: string
  /** Empty if the request didn't contain it. */
  source_group_id: string
  state: string
  since: number
  target: string
  /** The problem that prevents the migration, or an empty string. */
  failure: string
  created_at: number
}
