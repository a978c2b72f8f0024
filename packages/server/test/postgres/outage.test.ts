import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase, type Session, UnavailableError } from '../../src/persistence/database.ts'
import { statement } from '../../src/persistence/statement.ts'
import { type CheckedServer, projectId, startUntilStopped } from '../checked-server.ts'
import { type PostgresCluster, startOwnPostgres } from '../postgres-cluster.ts'
import { bearerOf } from '../token.ts'

const configs = `/groups/${projectId}/alertConfigs`
const json = { eventTypeName: 'HOST_DOWN', notifications: [] }

let cluster: PostgresCluster
let server: CheckedServer
const said: string[] = []
let bearer: { readonly as: null; readonly headers: Record<string, string> }
beforeAll(async () => {
  cluster = await startOwnPostgres({ durable: true })
  server = await startUntilStopped({
    database: await cluster.createDatabase(),
    logLevel: 'error',
    writeLog: (text) => said.push(text),
  })
  bearer = { as: null, headers: { authorization: await bearerOf(server.url) } }
})
afterAll(async () => {
  await server.stop()
  await cluster.stop()
})

const create = () => server.ask(configs, { method: 'POST', json, ...bearer })
/** Waits until the server reports this readiness. The server checks its database at most once per second. */
const expectReady = (status: number) =>
  vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(status), 5000)

it('returns 503 with Retry-After during a database outage, then continues without a restart', async () => {
  const acknowledged: string[] = []
  for (let count = 0; count < 20; count += 1) acknowledged.push((await create()).textAt('id'))
  for (let round = 0; round < 2; round += 1) {
    const writing = Promise.all(Array.from({ length: 8 }, create))
    await cluster.kill()
    for (const response of await writing) {
      expect([200, 503]).toContain(response.status)
      if (response.status === 200) acknowledged.push(response.textAt('id'))
    }
    const refused = await create()
    expect([refused.status, refused.at('errorCode')]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectReady(503)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    for (const path of ['/healthz', '/requests', '/faults']) {
      expect([path, (await server.control('GET', path)).status]).toEqual([path, 200])
    }
    expect((await server.control('GET', '/requests')).at('requests', 0)).toMatchObject({
      operationId: 'createAlertConfig',
      status: 503,
    })
    await cluster.start()
    expect((await create()).status).toBe(200)
    await expectReady(200)
  }
  for (const id of acknowledged) expect((await server.ask(`${configs}/${id}`, bearer)).status).toBe(200)
})

it('returns 503 while the database rejects connections', async () => {
  const own = new URL(server.options.database)
  const name = own.pathname.slice(1)
  own.pathname = '/postgres'
  const client = new pg.Client({ connectionString: own.href })
  await client.connect()
  await client.query(`alter database "${name}" allow_connections false`)
  try {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const refused = await create()
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    await expectReady(503)
  } finally {
    await client.query(`alter database "${name}" allow_connections true`)
    await client.end()
  }
  expect((await create()).status).toBe(200)
  await expect.poll(() => said.join('')).toContain('"code":"55000"')
})

it('logs the reason once, not for each request', async () => {
  await expect.poll(() => said.join('')).toContain('ECONNREFUSED')
  const causes = said
    .join('')
    .split('\n')
    .filter((line) => line.includes('"database unavailable"'))
  const codes = causes.map((line) => JSON.parse(line).code)
  expect(new Set(codes).size).toBe(codes.length)
})

it('continues when the database closes its connections', async () => {
  for (const response of await Promise.all(Array.from({ length: 8 }, create)))
    expect(response.status).toBe(200)
  endConnections(server.options.database)
  for (let count = 0; count < 20; count += 1) expect((await create()).status).toBe(200)
})

it('never uses a connection that was closed without notice', async () => {
  const database = await openDatabase(server.options.database)
  const clusters = statement((db) => db.selectFrom('clusters').select('name'))
  const reads = () => database.all(clusters, {})
  const writes = () => database.transaction((transaction) => transaction.all(clusters, {}))
  for (const use of [reads, writes]) {
    await Promise.all(Array.from({ length: 6 }, use))
    endConnections(server.options.database)
    // Send the requests before this process notices that its sockets are closed.
    expect(await Promise.allSettled(Array.from({ length: 6 }, use))).toEqual(
      Array.from({ length: 6 }, () => expect.objectContaining({ status: 'fulfilled' })),
    )
  }
  await database.close()
})

it("isn't blocked for long by a process that is stopped within a transaction", async () => {
  const database = await openDatabase(server.options.database)
  const shown = (name: string) => sql<string>`current_setting(${sql.lit(name)})`
  const limits = statement((db) =>
    db
      .selectFrom('settings')
      .select([
        shown('idle_in_transaction_session_timeout').as('idle'),
        shown('lock_timeout').as('lock'),
        shown('statement_timeout').as('statement'),
        shown('transaction_isolation').as('isolation'),
      ]),
  )
  const first = (session: Session) => session.one(limits, {})
  expect(await database.transaction(first)).toEqual({
    idle: '5s',
    lock: '5s',
    statement: '10s',
    isolation: 'serializable',
  })
  await database.close()
})

const backend = statement((db) =>
  db.selectFrom('settings').select(sql<number>`pg_backend_pid()`.as('pid')).limit(1),
)

it('closes an unresponsive connection and opens another', async () => {
  const database = await openDatabase(server.options.database, { connections: 1, respondWithin: 500 })
  const pid = async () => (await database.one(backend, {}))?.pid ?? 0
  const silent = await pid()
  process.kill(silent, 'SIGSTOP')
  try {
    await expect(pid()).rejects.toThrow(UnavailableError)
    expect(await pid()).not.toBe(silent)
  } finally {
    process.kill(silent, 'SIGCONT')
    await database.close()
  }
})

it('waits once for an unresponsive database, not again for the end of the transaction', async () => {
  const respondWithin = 3000
  const database = await openDatabase(server.options.database, { connections: 1, respondWithin })
  let [silent, gaveUp] = [0, 0]
  const changing = database.transaction(async (transaction) => {
    silent = (await transaction.one(backend, {}))?.pid ?? 0
    process.kill(silent, 'SIGSTOP')
    await transaction.one(backend, {}).finally(() => {
      gaveUp = performance.now()
    })
  })
  try {
    await expect(changing).rejects.toThrow(UnavailableError)
    expect(performance.now() - gaveUp).toBeLessThan(respondWithin / 2)
  } finally {
    process.kill(silent, 'SIGCONT')
    await database.close()
  }
})

it('retries when a connection was closed, but no longer than the timeout of a request', async () => {
  const respondWithin = 900
  const between = await startBetween(server.options.database, respondWithin / 3)
  const database = await openDatabase(between.address, { respondWithin })
  between.cut()
  await expect(database.one(backend, {})).rejects.toThrow(UnavailableError)
  // If there were no time limit, the pool would try all of its ten connections.
  expect(between.cuts()).toBeGreaterThan(1)
  expect(between.cuts()).toBeLessThan(8)
  await database.close()
  between.stop()
})

/**
 * Starts a proxy between the server and its database. After `cut` is called, the proxy closes each connection
 * `afterMilliseconds` after a query was sent.
 */
async function startBetween(address: string, afterMilliseconds: number) {
  const { port, hostname } = new URL(address)
  let [cutting, cuts] = [false, 0]
  const listener = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    // Forward the first data, because it opens the connection.
    client.once('data', () => {
      client.on('data', () => {
        if (!cutting) return
        cuts += 1
        upstream.unpipe(client)
        setTimeout(() => client.resetAndDestroy(), afterMilliseconds)
      })
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const bound = listener.address()
  const own = new URL(address)
  own.port = String(typeof bound === 'object' ? bound?.port : '')
  return {
    address: own.href,
    cut: () => {
      cutting = true
    },
    cuts: () => cuts,
    stop: () => listener.close(),
  }
}

/** Closes all connections to a database. This is synchronous, so no other code in this process runs in the meantime. */
function endConnections(address: string): void {
  const program = `
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: process.argv[1] })
    await client.connect()
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    await client.end()`
  execFileSync(process.execPath, ['--input-type=module', '--eval', program, address], {
    cwd: import.meta.dirname,
  })
}
