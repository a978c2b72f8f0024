import { demoTarget, openKit, type Selection } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { loadRequirements } from '@svc-admin/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresCluster, startPostgres } from '../packages/server/test/postgres-cluster.ts'

// Tests every rule that depends on stored data once per operation, in the operation's newest version, because versions
// differ only in code above the database. To run all checks, use
// `svc-admin-server --sandbox --seed-demo --database postgres://…` with `contract run`.

let cluster: PostgresCluster
let server: RunningServer
beforeAll(async () => {
  cluster = await startPostgres()
  server = await startServer({ database: await cluster.createDatabase(), sandbox: true })
})
afterAll(async () => {
  await server?.stop()
  await cluster?.stop()
})

/** Runs the checks, and returns how many passed. */
async function passing(selection: Selection): Promise<number> {
  const { url, controlUrl } = server
  const target = demoTarget({ baseUrl: url, ...(controlUrl && { control: controlUrl }) })
  const kit = await openKit({ target, selection, seed: 7 })
  const { results, leftovers } = await kit.run()
  const passed = results.filter(({ verdict }) => verdict === 'PASS')
  const wanting = results.filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
  expect(wanting.map(({ id, verdict, actual, reason }) => ({ id, verdict, actual, reason }))).toEqual([])
  expect(leftovers).toEqual([])
  return passed.length
}

/** Rules for code that runs before the database is read, or after the response's content is complete. */
const aboveDatabase = /^(auth|envelope|parameters|pretty|versions)\./

test('the kit finds no violation on PostgreSQL', { timeout: 900_000 }, async () => {
  const ids = loadRequirements().map(({ id }) => id)
  const requirements = ids.filter((id) => !aboveDatabase.test(id))
  expect(requirements.length).toBeGreaterThan(ids.length / 2)
  expect(await passing({ brief: true, requirements })).toBeGreaterThan(2000)
})

test('authentication conforms on PostgreSQL', { timeout: 300_000 }, async () => {
  const operations = ['getAlert', 'createAlertConfig', 'issueToken']
  expect(await passing({ brief: true, operations, requirements: ['auth.'] })).toBeGreaterThan(30)
})
