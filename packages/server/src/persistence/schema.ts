import type { BackupTables } from './backup-tables.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { PlatformTables } from './platform-tables.ts'
import type { SearchTables } from './search-tables.ts'

/**
 * The tables as Kysely sees them. Times are milliseconds since the epoch, booleans are 0 or 1: the two types
 * that SQLite and PostgreSQL do not share. `document` is JSON text as it is sent, without `links`, so that a
 * list can be answered without parsing what was stored.
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
  /** What is left of a sandbox's count of reads once there have been enough. */
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
  /** Members of notifications that are never sent back, by `notifierId`, as JSON. */
  secrets: string
}

interface AlertTable {
  id: string
  group_id: string
  config_id: string
  /** Which occurrence of the condition: the configuration and the cluster that it was seen on. */
  condition: string
  status: string
  /** When the condition was seen. */
  since: number
  /** When time alone changes something about the alert next; null for never. */
  due_at: number | null
  acknowledged_until: number | null
  /** The notification targets and what has been sent to them, as JSON. */
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
