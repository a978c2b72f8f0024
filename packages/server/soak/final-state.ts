import { openDatabase } from '../src/persistence/database.ts'
import { statement } from '../src/persistence/statement.ts'
import { projectId } from '../test/demo.ts'
import type { ServerProcess } from '../test/server-process.ts'
import type { FinalState } from './history.ts'
import { listOfNames, seen, type Workload } from './workload.ts'

const notices = statement((db) =>
  db.selectFrom('outbox').select(['alert_id as alertId', 'created_at as at', 'document']),
)
const snapshots = statement((db) =>
  db
    .selectFrom('snapshots')
    .select(['cluster_name as clusterName', 'created_at as at'])
    .where('on_demand', '=', 0)
    .where('state', '!=', ''),
)
const open = statement((db) =>
  db.selectFrom('alerts').select(['config_id as configId', 'condition']).where('status', '!=', 'CLOSED'),
)

/** Returns the final state, combining server responses with the contents of the database. */
export async function finalStateOf(
  server: ServerProcess,
  database: string,
  { counters }: Workload,
): Promise<FinalState> {
  const counted = new Map<string, { count: number; mark: string }>()
  for (const [key, path] of counters) {
    const response = await server.ask(path)
    if (response.status === 200) counted.set(key, seen(response))
  }
  const { body } = await server.ask(listOfNames)
  const listed: { name: string }[] = Array.isArray(body) ? body : []
  const names = listed.map(({ name }) => name).filter((name) => name.startsWith('name-'))
  // This request makes the server update all alerts and send all due notifications.
  await server.ask(`/groups/${projectId}/alerts`)
  return { counters: counted, names, once: await happened(database) }
}

/**
 * Lists everything that must be unique: notifications for an alert at a given time, snapshots at a given time, and open
 * alerts for a condition.
 */
async function happened(address: string): Promise<string[]> {
  const database = await openDatabase(address)
  try {
    return [
      ...(await database.all(notices, {})).map(({ alertId, at, document }) => {
        const { typeName, emailAddress } = JSON.parse(document)
        return `notice ${typeName} ${emailAddress} of ${alertId} at ${at}`
      }),
      ...(await database.all(snapshots, {})).map(
        ({ clusterName, at }) => `snapshot of ${clusterName} at ${at}`,
      ),
      ...(await database.all(open, {})).map((row) => `open alert of ${row.configId} ${row.condition}`),
    ]
  } finally {
    await database.close()
  }
}
