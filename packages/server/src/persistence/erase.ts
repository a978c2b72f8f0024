import type { Transaction } from './database.ts'
import type { Tables } from './schema.ts'

/** Every table that holds what a world has been told; not `migrations`, nor `settings`, its keys and clock. */
const erasable: readonly (keyof Tables)[] = [
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
]

/** Empties a world. */
export async function erase(transaction: Transaction): Promise<void> {
  await transaction.execute((db) => erasable.map((table) => db.deleteFrom(table)))
}
