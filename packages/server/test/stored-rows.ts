import { settleEverything } from '../src/alerting/settle.ts'
import { sha256 } from '../src/auth/secrets.ts'
import { readContents } from '../src/persistence/contents.ts'
import { type CheckedServer, startUntilStopped } from './checked-server.ts'

/** Tables that count requests instead of storing resources. */
const counted = ['nonce_uses', 'rate_windows']

/** Returns the rows of all tables with contents, as text. */
export async function rowsOf({ world }: CheckedServer): Promise<string[]> {
  const { tables } = await world.database.transaction(readContents)
  return [...tables].flatMap(([table, rows]) =>
    counted.includes(table) ? [] : rows.map((row) => `${table} ${JSON.stringify(row)}`),
  )
}

/** Returns a hash of everything in the database. */
export async function contentHash(server: CheckedServer): Promise<string> {
  return sha256((await rowsOf(server)).sort().join('\n'))
}

/** Starts a server that makes no changes in the background, so that tests can compare the contents of its database. */
export async function startIdle(): Promise<CheckedServer> {
  const server = await startUntilStopped({ webhooks: false })
  await settleEverything(server.world, await server.world.clock.now())
  return server
}
