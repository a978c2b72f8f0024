import { demoTarget, openKit } from '@svc-admin/contract'
import { startServer } from '@svc-admin/server'
import { expect, test } from 'vitest'
import { startPostgres } from '../packages/server/test/postgres-cluster.ts'

/**
 * Tests every rule once per operation, in the operation's newest version, because versions differ only in code above
 * the database. To run all checks, use `svc-admin-server --sandbox --seed-demo --database postgres://…` with
 * `contract run`.
 */
const selection = { brief: true }

test('the kit finds no violation on PostgreSQL', { timeout: 900_000 }, async () => {
  const cluster = await startPostgres()
  const server = await startServer({ database: await cluster.createDatabase(), sandbox: true })
  try {
    const { url, controlUrl } = server
    const target = demoTarget({ baseUrl: url, ...(controlUrl && { control: controlUrl }) })
    const kit = await openKit({ target, selection, seed: 7 })
    const { results, leftovers } = await kit.run()
    const passed = results.filter(({ verdict }) => verdict === 'PASS')
    const wanting = results.filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
    expect(wanting.map(({ id, verdict, actual, reason }) => ({ id, verdict, actual, reason }))).toEqual([])
    expect(passed.length).toBeGreaterThan(4000)
    expect(leftovers).toEqual([])
  } finally {
    await server.stop()
    await cluster.stop()
  }
})
