import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase, UnavailableError } from '../../src/persistence/database.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { migrations } from '../../src/persistence/migrations/index.ts'
import { index, raw, table } from '../../src/persistence/migrations/migration.ts'
import { type Builder, statement } from '../../src/persistence/statement.ts'
import { startServer } from '../../src/start-server.ts'
import { bareDatabase } from '../databases.ts'
import { startProcess } from '../server-process.ts'

const counted = statement((db) =>
  db.selectFrom('access_logs').select((eb) => eb.fn.countAll<number>().as('total')),
)

describe('processes that start concurrently on an empty database', () => {
  it('run each migration once', async () => {
    const address = await bareDatabase()
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase(address)))
    const ran = await Promise.all(databases.map((database) => migrate(database)))
    await Promise.all(databases.map((database) => database.close()))
    expect(ran.sort((a, b) => a - b)).toEqual([0, 0, migrations.length])
  })

  it('need no right to create tables if all exist', async () => {
    const own = await bareDatabase()
    const owner = await openDatabase(own)
    const all = await migrate(owner)
    await owner.close()
    const client = new pg.Client({ connectionString: own })
    await client.connect()
    const role = `rows_${new URL(own).pathname.slice(1)}`
    await client.query(`create role "${role}" login password 'rows'`)
    await client.query(`grant select, insert, update, delete on all tables in schema public to "${role}"`)
    await client.query(`grant usage on all sequences in schema public to "${role}"`)
    const address = new URL(own)
    address.username = role
    address.password = 'rows'
    try {
      const server = await startServer({ database: address.href, sandbox: true })
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      await server.stop()
      const limited = await openDatabase(address.href)
      const more = {
        id: all + 1,
        name: 'more',
        up: (db: Builder) => [raw(db, 'create table more (id text)')],
      }
      await expect(migrate(limited, [...migrations, more])).rejects.toThrow('permission denied')
      await limited.close()
    } finally {
      await client.query(`drop owned by "${role}"`)
      await client.query(`drop role "${role}"`)
      await client.end()
    }
  })

  it('seed the demo organization once', async () => {
    const [alone, together] = [await bareDatabase(), await bareDatabase()]
    const first = await startServer({ database: alone })
    const servers = await Promise.all([1, 2, 3].map(() => startServer({ database: together })))
    // The demo's access log entries have no IDs, so seeding the demo a second time would duplicate them.
    const entries = await first.world.database.one(counted, {})
    expect(Number(entries?.total)).toBeGreaterThan(0)
    expect(await servers[0]?.world.database.one(counted, {})).toEqual(entries)
    await Promise.all([first, ...servers].map((server) => server.stop()))
  })
})

describe('a migration', () => {
  it('is rolled back when a later one of the same start fails', async () => {
    const database = await openDatabase(await bareDatabase())
    const good = {
      id: 1,
      name: 'good',
      up: (db: Builder) => [table(db, 'kept', { text: ['id'], key: ['id'] })],
    }
    const bad = { id: 2, name: 'bad', up: (db: Builder) => [index(db, 'nowhere', 'id')] }
    await expect(migrate(database, [good, bad])).rejects.toThrow('nowhere')
    expect(await migrate(database, [good])).toBe(1)
    await database.close()
  })

  it('that takes long may finish, despite a short timeout for other statements', async () => {
    const database = await openDatabase(await bareDatabase(), { respondWithin: 200 })
    const slow = { id: 1, name: 'slow', up: (db: Builder) => [raw(db, 'select pg_sleep(0.5)')] }
    expect(await migrate(database, [slow])).toBe(1)
    const asleep = statement((db) => db.selectNoFrom(sql`pg_sleep(0.5)`.as('slept')))
    await expect(database.one(asleep, {})).rejects.toThrow(UnavailableError)
    await database.close()
  })
})

describe("a start reports why the database can't be used", () => {
  const start = (database: string) => startServer({ database }).then((server) => server.stop())
  const limit = async (address: string, setting: string) => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(`alter database "${new URL(address).pathname.slice(1)}" set ${setting}`)
    await client.end()
  }

  it('if it is read-only', async () => {
    const address = await bareDatabase()
    await limit(address, 'default_transaction_read_only = on')
    await expect(start(address)).rejects.toThrow(
      'The database cannot be used: cannot execute CREATE TABLE in a read-only transaction',
    )
  })

  it('if the wait for another start is interrupted', async () => {
    const address = await bareDatabase()
    const other = await openDatabase(address)
    onTestFinished(() => other.close())
    await limit(address, `statement_timeout = '100ms'`)
    await other.exclusively(() =>
      expect(start(address)).rejects.toThrow(
        'The database cannot be used: canceling statement due to statement timeout',
      ),
    )
  })
})

describe('an address', () => {
  it("of a database that can't store all text is rejected", async () => {
    const own = await bareDatabase()
    const client = new pg.Client({ connectionString: own })
    await client.connect()
    const name = `${new URL(own).pathname.slice(1)}_latin`
    await client.query(`create database "${name}" encoding 'LATIN1' template template0`)
    const address = own.replace(/\/[^/]+$/, `/${name}`)
    await expect(openDatabase(address)).rejects.toThrow('its encoding is LATIN1, not UTF8')
    await client.query(`drop database "${name}"`)
    await client.end()
  })

  it.each([
    [
      'without a server',
      'postgres://me:hidden@127.0.0.1:9/svc',
      'The database 127.0.0.1:9/svc cannot be used: ',
    ],
    [
      'whose password is read as a port',
      'postgres://me:12/hidden@127.0.0.1:9/svc',
      'The database 127.0.0.1:9/svc cannot be used: ',
    ],
    [
      'whose password is read as a host',
      'postgres://me:a@hidden/b@127.0.0.1:9/svc',
      'The database 127.0.0.1:9/svc cannot be used: ',
    ],
  ])('%s is rejected with the reason, but without the password', async (_, address, message) => {
    const failure: unknown = await openDatabase(address).catch((error: unknown) => error)
    expect(String(failure)).toContain(message)
    expect(String(failure)).not.toContain('hidden')
  })

  it('that uses only environment variables is rejected without exposing them', async () => {
    for (const [name, value] of Object.entries({ PGHOST: '127.0.0.1', PGPORT: '9' })) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(openDatabase('postgres://')).rejects.toThrow(
      /^The database cannot be used: .*127\.0\.0\.1:9/,
    )
  })

  it('is logged at start without its password', async () => {
    const address = new URL(await bareDatabase())
    address.password = 'hidden'
    const server = await startProcess(address.href)
    await server.kill()
    expect(JSON.parse(server.said).options.database).toBe(address.href.replace('hidden', '***'))
    expect(server.said).not.toContain('hidden')
  })

  it('of a missing database is rejected', async () => {
    const address = `${await bareDatabase()}_not`
    await expect(openDatabase(address)).rejects.toThrow(/cannot be used: database "\w+_not" does not exist/)
  })
})
