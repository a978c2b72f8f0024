import { demoTarget, openKit } from '@svc-admin/contract'
import { startServer } from '@svc-admin/server'
import { expect, test } from 'vitest'
import { startPostgres } from '../packages/server/test/postgres-cluster.ts'
import { briefSelections } from './brief-selections.ts'

// Versions, and rules that are alike in all operations, differ only in code above the database. To run all checks, use
// `svc-admin-server --sandbox --seed-demo --database postgres://…` with `contract run`.

test('the kit finds no violation on PostgreSQL', { timeout: 900_000 }, async () => {
  const cluster = await startPostgres()
  const server = await startServer({ database: await cluster.createDatabase(), sandbox: true })
  try {
    const { url, controlUrl } = server
    const target = demoTarget({ baseUrl: url, ...(controlUrl && { control: controlUrl }) })
    let passed = 0
    for (const selection of briefSelections) {
      const kit = await openKit({ target, selection, seed: 7 })
      const { results, leftovers } = await kit.run()
      const wanting = results.filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
      expect(wanting.map(({ id, verdict, actual, reason }) => ({ id, verdict, actual, reason }))).toEqual([])
      expect(leftovers).toEqual([])
      passed += results.filter(({ verdict }) => verdict === 'PASS').length
    }
    expect(passed).toBeGreaterThan(2000)
  } finally {
    await server.stop()
    await cluster.stop()
  }
})
