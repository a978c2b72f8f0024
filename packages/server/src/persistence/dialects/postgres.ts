import { PostgresAdapter } from 'kysely'
import type { PoolClient, Pool as PoolOfDriver, QueryConfig } from 'pg'
import { maskAddress, withoutSecrets } from '../../domain/mask-address.ts'
import type { Connection, DatabaseDialect, Pool, SqlValue, Statement } from './dialect.ts'
import { createPostgresCompiler } from './postgres-compiler.ts'
import { classifyPostgres, isDeadConnection, isLostConnection, NoConnection } from './postgres-failures.ts'

export interface PostgresOptions {
  /** The maximum number of connections per process. */
  readonly connections: number
  /** The timeout for a response, in milliseconds. Long-running work has no timeout. */
  readonly respondWithin?: number
}

/**
 * Creates a dialect that uses PostgreSQL through `pg`. Several processes can use the same database.
 *
 * Transactions are serializable. SQLite provides the same guarantee by allowing only one writer at a time, so the same
 * code is correct on both databases. Transactions are retried if they fail because of a conflict (see `access.ts`).
 * Conflicts are rare, because transactions lock the rows that they will change.
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
 * The timeouts in milliseconds. If a process is paused during a transaction, the database ends the transaction after
 * `idle_in_transaction` and releases its locks. Until then, other processes wait for the locks, but no longer than
 * `lock`.
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

/**
 * The key of the advisory lock for `exclusively`. The key is an arbitrary number that other programs are unlikely to
 * use on the same database.
 */
const exclusiveLock = 7_821_990_110
/**
 * The number of milliseconds that a process waits at startup for other processes. Another process may be running
 * migrations, which have no timeout.
 */
export const exclusivePatience = 120_000

/** The oldest PostgreSQL version that the PostgreSQL project supported when this code was written. */
const oldestServer = 140_000

async function openPool(address: string, options: PostgresOptions): Promise<Pool> {
  const { connections, respondWithin = patience.response } = options
  // Load the driver on first use, because servers with SQLite don't need it.
  const { default: pg } = await import('pg')
  const settings = {
    connectionString: address,
    application_name: 'svc-admin-server',
    connectionTimeoutMillis: patience.connect,
    keepAlive: true,
    /**
     * With TCP keepalive, the server detects that the database is unreachable, even while waiting without a timeout or
     * holding a lock.
     */
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
  // If an idle connection fails, the pool emits an error event and opens a new connection.
  // Without a listener, the error event would terminate the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    // Hold the lock on a separate connection.
    // The lock is released when this connection ends, even if the process is killed.
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

/**
 * Parses 64-bit integers, which the driver returns as text by default. All stored integers are times or counts that fit
 * into a double.
 */
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
  // If a hostname has several addresses, there is one error per address.
  const [first = error] = error instanceof AggregateError ? error.errors : [error]
  const why = withoutSecrets(first instanceof Error ? first.message : String(first), address)
  // The address may be empty, because environment variables can provide all settings.
  const named = ['The database', placeOf(address)].filter((word) => word !== '').join(' ')
  return new Error(`${named} cannot be used: ${why}`, { cause: error })
}

/** Returns the host and database name in an address, without the credentials. */
const placeOf = (address: string): string =>
  maskAddress(address)
    .replace(/^[^:]+:\/\/(?:.*@)?/s, '')
    .replace(/\?.*$/s, '')

/** The names of prepared statements, which are the same on every connection. */
const names = new Map<string, string>()

function nameOf(sql: string): string {
  const known = names.get(sql)
  if (known) return known
  const name = `s${names.size + 1}`
  names.set(sql, name)
  return name
}

/**
 * Runs a query with a timeout. Each query has its own timeout, because the driver can't remove a timeout from a
 * connection.
 */
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
  // In the worst case, all connections in the pool are closed.
  // Queries on closed connections fail immediately, and the pool then opens a new connection.
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
  // Runs a query that hasn't changed any data yet, and retries it on the next connection if necessary.
  // The database may have closed an idle connection, which the driver doesn't notice until it uses the connection.
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
      // A migration may count rows while it holds a lock.
      // Read committed isolation includes rows that were committed while the migration waited for the lock.
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
      // If the connection is lost, a rollback gets no response.
      // The pool closes a lost connection when it is released, and the database then ends the transaction.
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
  // Text in PostgreSQL can't contain NUL, so no row can match. Like SQLite, return no rows.
  const reads = isRead(sql)
  const checked = async (values: readonly SqlValue[]) =>
    reads && values.some((value) => typeof value === 'string' && value.includes('\0')) ? [] : all(values)
  return { all: checked, first: async (values) => (await checked(values))[0] }
}
