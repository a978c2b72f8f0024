import type { RunningServer } from '@svc-admin/server'

const tables = [
  'organizations',
  'projects',
  'clusters',
  'api_keys',
  'service_accounts',
  'access_logs',
  'alert_configs',
  'alerts',
  'snapshots',
  'restore_jobs',
  'search_indexes',
  'link_tokens',
] as const

/** How many rows each table of a sandbox has. */
export const countRows = ({ world }: RunningServer) =>
  Promise.all(
    tables.map(async (table) => {
      const rows = await world.database.all(
        { build: (db) => db.selectFrom(table).selectAll(), compiled: new Map() },
        {},
      )
      return [table, rows.length]
    }),
  )
