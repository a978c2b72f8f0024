import type { BackupTables } from './backup-tables.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { PlatformTables } from './platform-tables.ts'
import type { SearchTables } from './search-tables.ts'

/**
 * Kysely types for all tables. Times are in milliseconds since the Unix epoch. Booleans are stored as 0 or 1, because
 * SQLite has no boolean type. `document` contains a response as JSON text without `links`, so the server can build
 * lists without parsing the documents.
 */
export interface Tables extends BackupTables, DeliveryTables, PlatformTables, SearchTables {
  migrations: { id: number; name: string }
  settings: { name: string; value: string }
  organizations: { id: string; name: string; created_at: number }
  projects: { id: string; org_id: string; name: string; created_at: number }
  clusters: ClusterTable
  cluster_hosts: { group_id: string; hostname: string; cluster_name: string }
  api_keys: { public_key: string; ha1: string; document: string }
  service_accounts: { client_id: string; secret_hash: string; document: string }
  tokens: { hash: string; client_id: string; expires_at: number }
  rate_windows: { name: string; started_at: number; count: number }
  nonce_uses: { nonce: string; count: number; expires_at: number }
  /** For the `reads` transition mode, the times when a resource left a state after the required number of reads. */
  reached_states: { key: string; at: number }
  row_counts: { list: string; owner: string; total: number; moved: number }
  access_logs: AccessLogTable
  alert_configs: AlertConfigTable
  alerts: AlertTable
  outbox: OutboxTable
}

interface ClusterTable {
  group_id: string
  name: string
  id: string
  tier: string
  type: string
  database_version: string
  provider: string
  created_at: number
}

interface AccessLogTable {
  id: string
  group_id: string
  cluster_name: string
  hostname: string
  ip_address: string
  succeeded: number
  at: number
  document: string
}

interface AlertConfigTable {
  id: string
  group_id: string
  event_type_name: string
  enabled: number
  created_at: number
  document: string
  /** The secret fields of notifications as JSON, keyed by notifier ID. Responses never contain secret fields. */
  secrets: string
}

interface AlertTable {
  id: string
  group_id: string
  config_id: string
  /** The key of the condition that raised the alert. */
  condition: string
  status: string
  /** The time when the condition was detected. */
  since: number
  /** The time of the alert's next automatic change, or null if there is none. */
  due_at: number | null
  acknowledged_until: number | null
  /** The notification targets as JSON, including the time of the latest notice sent to each target. */
  targets: string
  created_at: number
  document: string
}

interface OutboxTable {
  id: string
  group_id: string
  alert_id: string
  created_at: number
  document: string
}
