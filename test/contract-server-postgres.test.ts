import { demoTarget, openKit, type Result } from '@svc-admin/contract'
import { startServer } from '@svc-admin/server'
import { expect, test } from 'vitest'
import { startPostgres } from '../packages/server/test/postgres-cluster.ts'

/**
 * Every rule on every operation, once, in its newest version: what versions change is above the database. All of it is
 * run by `svc-admin-server --sandbox --seed-demo --database postgres://…` and `contract run` beside it.
 */
const selection = { smoke: true }

async function verdicts(database: string): Promise<string[]> {
  const server = await startServer({ database, sandbox: true })
  try {
    const { url, controlUrl } = server
    const target = demoTarget({ baseUrl: url, ...(controlUrl && { control: controlUrl }) })
    const kit = await openKit({ target, selection, seed: 7 })
    const { results, left } = await kit.run()
    return [...results.map(told), ...left.map((one) => `left behind: ${JSON.stringify(one)}`)]
  } finally {
    await server.stop()
  }
}

const told = ({ id, verdict, reason }: Result) =>
  `${verdict} ${id} ${verdict === 'PASS' ? '' : (reason ?? '')}`

test('the kit finds on PostgreSQL what it finds on SQLite', { timeout: 900_000 }, async () => {
  const cluster = await startPostgres()
  try {
    const onSqlite = await verdicts(':memory:')
    const onPostgres = await verdicts(await cluster.createDatabase())
    expect(onSqlite.length).toBeGreaterThan(1000)
    expect(onPostgres).toEqual(onSqlite)
  } finally {
    await cluster.stop()
  }
})
