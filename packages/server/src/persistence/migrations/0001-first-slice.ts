import type { Builder } from '../statement.ts'
import { index, type Migration, table } from './migration.ts'

/** Creates the tables for tenants, clusters, credentials, access logs, alert configurations and alerts. */
export const firstSlice: Migration = {
  id: 1,
  name: 'first-slice',
  up: (db) => [...tenants(db), ...credentials(db), ...accessLogs(db), ...alerts(db)],
}

const tenants = (db: Builder) => [
  table(db, 'settings', { text: ['name', 'value'], key: ['name'] }),
  table(db, 'organizations', { text: ['id', 'name'], numbers: ['created_at'], key: ['id'] }),
  table(db, 'projects', { text: ['id', 'org_id', 'name'], numbers: ['created_at'], key: ['id'] }),
  index(db, 'projects', 'org_id', 'created_at', 'id'),
  table(db, 'clusters', {
    text: ['group_id', 'name', 'id', 'tier', 'type', 'database_version', 'provider'],
    numbers: ['created_at'],
    key: ['group_id', 'name'],
  }),
  table(db, 'cluster_hosts', {
    text: ['group_id', 'hostname', 'cluster_name'],
    key: ['group_id', 'hostname'],
  }),
]

const credentials = (db: Builder) => [
  table(db, 'api_keys', { text: ['public_key', 'ha1', 'document'], key: ['public_key'] }),
  table(db, 'service_accounts', { text: ['client_id', 'secret_hash', 'document'], key: ['client_id'] }),
  table(db, 'tokens', { text: ['hash', 'client_id'], numbers: ['expires_at'], key: ['hash'] }),
  index(db, 'tokens', 'expires_at'),
  table(db, 'rate_windows', { text: ['name'], numbers: ['started_at', 'count'], key: ['name'] }),
  index(db, 'rate_windows', 'started_at'),
  table(db, 'nonce_uses', {
    text: ['nonce'],
    numbers: ['count', 'expires_at'],
    key: ['nonce', 'count'],
  }),
  index(db, 'nonce_uses', 'expires_at'),
]

const accessLogs = (db: Builder) => [
  table(db, 'access_logs', {
    text: ['id', 'group_id', 'cluster_name', 'hostname', 'ip_address', 'document'],
    numbers: ['succeeded', 'at'],
    key: ['id'],
  }),
  index(db, 'access_logs', 'group_id', 'cluster_name', 'at', 'id'),
  index(db, 'access_logs', 'group_id', 'hostname', 'at', 'id'),
]

const alerts = (db: Builder) => [
  table(db, 'alert_configs', {
    text: ['id', 'group_id', 'event_type_name', 'document', 'secrets'],
    numbers: ['enabled', 'created_at'],
    key: ['id'],
  }),
  index(db, 'alert_configs', 'group_id', 'created_at', 'id'),
  index(db, 'alert_configs', 'group_id', 'event_type_name', 'enabled'),
  table(db, 'alerts', {
    text: ['id', 'group_id', 'config_id', 'condition', 'status', 'targets', 'document'],
    numbers: ['since', 'created_at'],
    maybe: ['due_at', 'acknowledged_until'],
    key: ['id'],
  }),
  index(db, 'alerts', 'group_id', 'created_at', 'id'),
  index(db, 'alerts', 'group_id', 'status', 'created_at', 'id'),
  index(db, 'alerts', 'config_id', 'status', 'created_at', 'id'),
  index(db, 'alerts', 'group_id', 'due_at'),
  index(db, 'alerts', 'due_at'),
  index(db, 'alerts', 'config_id', 'condition', 'status'),
  table(db, 'outbox', {
    text: ['id', 'group_id', 'alert_id', 'document'],
    numbers: ['created_at'],
    key: ['id'],
  }),
  index(db, 'outbox', 'created_at', 'id'),
]
