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

/**
 * While a run's clock is ahead, schedules create snapshots. These snapshots still exist after the run, but the kit
 * didn't create them.
 */
const isOfSchedule = ({ on_demand, created_at }: Record<string, unknown>) =>
  on_demand === 0 && Number(created_at) >= start

/** The rows in one of the sandbox's tables, as JSON text. */
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

/** The number of rows in each of the sandbox's tables. */
export const countRows = (server: RunningServer) =>
  Promise.all(tables.map(async (table) => [table, (await rowsIn(server, table)).length]))
