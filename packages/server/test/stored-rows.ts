import { settleEverything } from '../src/alerting/settle.ts'
import { sha256 } from '../src/auth/secrets.ts'
import { readContents } from '../src/persistence/contents.ts'
import { type CheckedServer, startUntilStopped } from './checked-server.ts'

/** What is counted of requests, which is no content. */
const counted = ['nonce_uses', 'rate_windows']

/** Rows of a server's database, each as a text, of those tables that hold what it was told. */
export async function rowsOf({ world }: CheckedServer): Promise<string[]> {
  const { tables } = await world.database.transaction(readContents)
  return [...tables].flatMap(([table, rows]) =>
    counted.includes(table) ? [] : rows.map((row) => `${table} ${JSON.stringify(row)}`),
  )
}

/** All that the database holds, in a few characters: the same for the same. */
export async function contentHash(server: CheckedServer): Promise<string> {
  return sha256((await rowsOf(server)).sort().join('\n'))
}

/** A server to which nothing happens by itself, so that what its database holds can be compared. */
export async function startIdle(): Promise<CheckedServer> {
  const server = await startUntilStopped({ webhooks: false })
  await settleEverything(server.world, await server.world.clock.now())
  return server
}
