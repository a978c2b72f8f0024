import { PostgresAdapter } from 'kysely'
import type { PoolClient, Pool as PoolOfDriver, QueryConfig } from 'pg'
import { maskAddress, withoutSecrets } from '../../domain/mask-address.ts'
import type { Connection, DatabaseDialect, Pool, SqlValue, Statement } from './dialect.ts'
import { createPostgresCompiler } from './postgres-compiler.ts'
import { classifyPostgres, isDeadConnection, isLostConnection, NoConnection } from './postgres-failures.ts'

export interface PostgresOptions {
  /** How many connections a process holds at most. */
  readonly connections: number
  /** Milliseconds until a connection on which nobody answers is given up, unless it does what takes its time. */
  readonly respondWithin?: number
}

/**
 * PostgreSQL, for several processes on one database, through `pg`.
 *
 * Transactions are serialisable: to each it is as if it ran alone, which is what SQLite gives with its one writer, so
 * the same code is right on both. Who loses against another is run again (`database.ts`); rows are locked
 * where it is known that they will be changed, so that few do.
 */
export function postgresDialect(address: string, options: PostgresOptions): DatabaseDialect {
  return {
    name: 'postgres',
    adapter: new PostgresAdapter(),
    compiler: createPostgresCompiler(),
    shared: true,
    locksRows: true,
    countsTogether: false,
    open: () => openPool(address, options),
    classify: classifyPostgres,
  }
}

/**
 * Milliseconds. A process that is paused within a transaction keeps its locks: after `idle_in_transaction` the
 * database ends it, so that the others go on; until `lock` they wait for it.
 */
const patience = {
  connect: 5000,
  lock: 5000,
  statement: 10_000,
  idleInTransaction: 5000,
  response: 15_000,
  quiet: 10_000,
}
const unlimited = 'set local statement_timeout = 0; set local lock_timeout = 0'

/** The advisory lock of `exclusively`: any number that no other program on the same database takes. */
const exclusiveLock = 7_821_990_110
/** Milliseconds that a start waits for another one: for its migrations, which take as long as they need. */
export const exclusivePatience = 120_000

/** Oldest PostgreSQL that its makers still mended when this was written. */
const oldestServer = 140_000

async function openPool(address: string, options: PostgresOptions): Promise<Pool> {
  const { connections, respondWithin = patience.response } = options
  // On first use: a server on SQLite does without.
  const { default: pg } = await import('pg')
  const settings = {
    connectionString: address,
    application_name: 'svc-admin-server',
    connectionTimeoutMillis: patience.connect,
    keepAlive: true,
    // What waits without a limit, or holds a lock and says nothing, learns from the system that the other side is gone.
    keepAliveInitialDelayMillis: patience.quiet,
    types: { getTypeParser: parserOf },
  }
  const pool = new pg.Pool({
    ...settings,
    max: connections,
    statement_timeout: patience.statement,
    lock_timeout: patience.lock,
    idle_in_transaction_session_timeout: patience.idleInTransaction,
  })
  // A connection that dies while nobody waits for it tells so in an event, which would end the process if nobody
  // listened. The pool opens another one.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    // A connection of its own: the lock is the session's, and ends with it however the process ends.
    const holder = new pg.Client({ ...settings, lock_timeout: exclusivePatience })
    holder.on('error', () => {})
    await holder.connect()
    try {
      await holder.query('select pg_advisory_lock($1)', [exclusiveLock])
      return await work()
    } finally {
      await holder.end()
    }
  }
  try {
    await check(pool, respondWithin)
  } catch (error) {
    await pool.end()
    throw unreachable(address, error)
  }
  const acquire = async () => connection(pool, await connect(pool), respondWithin)
  return { acquire, exclusively, close: () => pool.end() }
}

/** 64-bit integers come as text: ours are times and counts, which a double holds exactly. */
function parserOf(type: number): (text: string) => unknown {
  const [bigint, integer] = [20, 23]
  return type === bigint || type === integer ? Number : (text) => text
}

async function check(pool: PoolOfDriver, respondWithin: number): Promise<void> {
  const text = `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`
  const { rows } = await pool.query(answered({ text }, respondWithin))
  const { version, encoding } = Object(rows[0])
  if (Number(version) < oldestServer) throw new Error('it is older than PostgreSQL 14')
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}, not UTF8`)
}

function unreachable(address: string, error: unknown): Error {
  // Several addresses of one name fail with one failure each.
  const [first = error] = error instanceof AggregateError ? error.errors : [error]
  const why = withoutSecrets(first instanceof Error ? first.message : String(first), address)
  // An address may leave all of it to the environment.
  const named = ['The database', placeOf(address)].filter((word) => word !== '').join(' ')
  return new Error(`${named} cannot be used: ${why}`, { cause: error })
}

/** Host and name, without who logs in and how. */
const placeOf = (address: string): string =>
  maskAddress(address)
    .replace(/^[^:]+:\/\/(?:.*@)?/s, '')
    .replace(/\?.*$/s, '')

/** Names of prepared statements, the same on every connection. */
const names = new Map<string, string>()

function nameOf(sql: string): string {
  const known = names.get(sql)
  if (known) return known
  const name = `s${names.size + 1}`
  names.set(sql, name)
  return name
}

/** The driver takes a limit for each statement; one for a whole connection could not be lifted. */
const answered = (
  query: QueryConfig,
  within: number | undefined,
): QueryConfig & { query_timeout?: number } =>
  within === undefined ? query : { ...query, query_timeout: within }

async function connect(pool: PoolOfDriver): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new NoConnection('no connection', { cause: error })
  }
}

function connection(pool: PoolOfDriver, first: PoolClient, respondWithin: number): Connection {
  let client = first
  let within: number | undefined = respondWithin
  const ask = (on: PoolClient, query: QueryConfig) => on.query(answered(query, within))
  let lost = false
  let used = false
  let held = true
  // As many as the pool holds may have ended, and the one after them is new. Of those that had, each says so at once.
  let spare = pool.options.max
  const until = performance.now() + respondWithin
  const guarded = async <T>(query: (client: PoolClient) => Promise<T>): Promise<T> => {
    try {
      const response = await query(client)
      used = true
      return response
    } catch (error) {
      lost ||= isLostConnection(error)
      throw error
    }
  }
  /**
   * What changes nothing yet, on a connection that may have ended while nobody used it: that is seen only when it
   * is used. Then the pool's next one does it.
   */
  const opening = async <T>(query: (client: PoolClient) => Promise<T>): Promise<T> => {
    try {
      return await guarded(query)
    } catch (error) {
      if (used || spare === 0 || performance.now() > until || !isDeadConnection(error)) throw error
    }
    spare -= 1
    held = false
    client.release(true)
    client = await connect(pool)
    held = true
    lost = false
    return opening(query)
  }
  return {
    prepare: (sql) => {
      const run = isRead(sql) ? opening : guarded
      return prepareOn(sql, async (values) => {
        const { rows } = await run((on) => ask(on, { name: nameOf(sql), text: sql, values: [...values] }))
        return rows
      })
    },
    run: async (sql) => {
      await guarded((on) => ask(on, { text: sql }))
    },
    begin: async (kind) => {
      const upkeep = kind === 'upkeep'
      // What counts rows behind a lock must see those that were committed while it waited for the lock.
      const isolation = upkeep ? 'read committed' : 'serializable'
      await opening((on) => ask(on, { text: `begin isolation level ${isolation}` }))
      if (!upkeep) return
      await guarded((on) => ask(on, { text: unlimited }))
      within = undefined
    },
    commit: async () => {
      await guarded((on) => ask(on, { text: 'commit' }))
    },
    rollback: async () => {
      // Nobody would answer, and it is closed as it is given back: with it the database ends the transaction.
      if (lost) return
      try {
        await guarded((on) => ask(on, { text: 'rollback' }))
      } catch (error) {
        lost = true
        throw error
      }
    },
    release: () => {
      if (held) client.release(lost)
    },
  }
}

const isRead = (sql: string): boolean => sql.startsWith('select')

function prepareOn(sql: string, all: Statement['all']): Statement {
  // PostgreSQL has no texts with NUL, so there is nothing to find; SQLite would look and find nothing.
  const reads = isRead(sql)
  const checked = async (values: readonly SqlValue[]) =>
    reads && values.some((value) => typeof value === 'string' && value.includes('\0')) ? [] : all(values)
  return { all: checked, first: async (values) => (await checked(values))[0] }
}
