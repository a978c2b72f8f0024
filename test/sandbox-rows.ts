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
  'access_roles',
  'export_buckets',
] as const

type Select = Parameters<RunningServer['world']['database']['all']>[0]['build']
type Table = (typeof tables)[number]

const start = Date.now()

/** Schedules take snapshots while a run has put the clock ahead. They stay, as what has happened does, and are no run's. */
const isOfSchedule = ({ on_demand, created_at }: Record<string, unknown>) =>
  on_demand === 0 && Number(created_at) >= start

/** The rows of a table of a sandbox, as text. */
export const rowsIn = async ({ world }: RunningServer, table: Table): Promise<string[]> => {
  const query = {
    build: (db: Parameters<Select>[0]) => db.selectFrom(table).selectAll(),
    compiled: new Map(),
  }
  const rows = await world.database.all(query, {})
  return rows
    .filter((row) => !isOfSchedule(Object(row)))
    .map((row) => JSON.stringify(row))
    .sort()
}

/** How many rows each table of a sandbox has. */
export const countRows = (server: RunningServer) =>
  Promise.all(tables.map(async (table) => [table, (await rowsIn(server, table)).length]))
