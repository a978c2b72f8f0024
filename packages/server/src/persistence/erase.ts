import type { Transaction } from './database.ts'
import type { Tables } from './schema.ts'

/** Every table that holds what a world has been told; not `migrations`, nor `settings`, its keys and clock. */
export const erasable: readonly (keyof Tables)[] = [
  'organizations',
  'projects',
  'clusters',
  'cluster_hosts',
  'api_keys',
  'service_accounts',
  'tokens',
  'rate_windows',
  'nonce_uses',
  'access_logs',
  'alert_configs',
  'alerts',
  'outbox',
  'webhook_deliveries',
  'access_roles',
  'auditing_configs',
  'custom_dns',
  'outage_simulations',
  'live_migrations',
  'migration_validations',
  'link_tokens',
  'migration_projects',
  'search_analyzers',
  'search_indexes',
  'search_nodes',
  'export_buckets',
  'backup_schedules',
  'snapshots',
  'restore_jobs',
  'export_jobs',
  'compliance_policies',
]

/** Empties a world. */
export async function erase(transaction: Transaction): Promise<void> {
  await transaction.execute((db) => erasable.map((table) => db.deleteFrom(table)))
}
