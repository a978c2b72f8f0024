import { settleEverything } from '../src/alerting/settle.ts'
import { sha256 } from '../src/auth/secrets.ts'
import { readContents } from '../src/persistence/contents.ts'
import { type CheckedServer, startUntilStopped } from './checked-server.ts'

/** Tables that only count requests. These tables don't contain resources. */
const counted = ['nonce_uses', 'rate_windows']

/** Returns all rows of the tables that contain resources, as text. */
export async function rowsOf({ world }: CheckedServer): Promise<string[]> {
  const { tables } = await world.database.transaction(readContents)
  return [...tables].flatMap(([table, rows]) =>
    counted.includes(table) ? [] : rows.map((row) => `${table} ${JSON.stringify(row)}`),
  )
}

/** Returns a hash of all rows that `rowsOf` returns. */
export async function contentHash(server: CheckedServer): Promise<string> {
  return sha256((await rowsOf(server)).sort().join('\n'))
}

/**
 * Starts a server that makes no background changes, so that tests can compare its database before and after a request.
 */
export async function startIdle(): Promise<CheckedServer> {
  const server = await startUntilStopped({ webhooks: false })
  await settleEverything(server.world, await server.world.clock.now())
  return server
}
