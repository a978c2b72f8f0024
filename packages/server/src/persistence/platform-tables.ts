/** The tables of access roles, auditing, custom DNS, outage simulations and live migrations, as Kysely sees them. */
export interface PlatformTables {
  access_roles: AccessRoleTable
  auditing_configs: { group_id: string; document: string }
  custom_dns: { group_id: string; enabled: number }
  outage_simulations: OutageSimulationTable
  live_migrations: LiveMigrationTable
  migration_validations: MigrationValidationTable
  /** One for each organisation: a new token voids the one before. The token itself is not kept. */
  link_tokens: { org_id: string; hash: string; access_list: string; created_at: number }
  migration_projects: { org_id: string; id: string; position: number; document: string }
}

interface AccessRoleTable {
  id: string
  group_id: string
  provider: string
  /** Null until the role is authorised. */
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
  /** Where it is heading if not to readiness: `FAILED`, or empty. */
  target: string
  /** The hosts that were named, as JSON. */
  hosts: string
  created_at: number
}

interface MigrationValidationTable {
  id: string
  group_id: string
  /** Empty if the request names none. */
  source_group_id: string
  state: string
  since: number
  target: string
  /** What stands in the way; empty for nothing. */
  failure: string
  created_at: number
}
