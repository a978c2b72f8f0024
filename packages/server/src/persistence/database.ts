import type { Compilable } from 'kysely'
import type { Connection, DatabaseDialect, Pool } from './dialects/dialect.ts'
import { sqliteDialect } from './dialects/sqlite.ts'
import { type Builder, bind, builderFor, compile, type StatementSpec, type Values } from './statement.ts'

/** Where statements run: the database itself, each statement on its own, or one transaction. */
export interface Session {
  all<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<readonly R[]>
  one<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<R | undefined>
}

/** A session whose changes all happen or do not. */
export interface Transaction extends Session {
  readonly kind: 'transaction'
  /** For statements that run once in a lifetime, such as a migration's. */
  execute(build: (db: Builder) => readonly Compilable[]): Promise<void>
}

export interface Database extends Session {
  readonly dialect: DatabaseDialect
  /**
   * Runs the body in one transaction. The body awaits nothing but its own statements: on SQLite everybody
   * else waits meanwhile.
   */
  transaction<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A row that should be the only one of its key was there already. */
export class DuplicateError extends Error {}

/** The database does not answer, is full or may not be written: worth trying again later. */
export class UnavailableError extends Error {}

/**
 * Opens the database that an address names.
 *
 * @example
 * ```ts
 * const database = await openDatabase(':memory:')
 * ```
 * @throws {Error} if the file is in use by another server, or the kind of address is unknown.
 */
export async function openDatabase(address: string): Promise<Database> {
  const dialect = dialectOf(address)
  return overPool(dialect, await dialect.open())
}

function dialectOf(address: string): DatabaseDialect {
  if (/^\w{2,}:\/\//.test(address)) throw new Error(`No database dialect for ${address.split(':')[0]}://`)
  return sqliteDialect(address)
}

function overPool(dialect: DatabaseDialect, pool: Pool): Database {
  const borrow = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await pool.acquire()
    try {
      return await use(connection)
    } finally {
      connection.release()
    }
  }
  return {
    dialect,
    all: (spec, values) => borrow((connection) => allOn(dialect, connection, spec, values)),
    one: (spec, values) => borrow((connection) => oneOn(dialect, connection, spec, values)),
    transaction: (body) => inTransaction(dialect, pool, body),
    close: () => pool.close(),
  }
}

async function allOn<P extends Values, R>(
  dialect: DatabaseDialect,
  connection: Connection,
  spec: StatementSpec<P, R>,
  values: P,
): Promise<readonly R[]> {
  const compiled = compile(spec, dialect)
  try {
    const rows: readonly unknown[] = await connection.prepare(compiled.sql).all(bind(compiled, values))
    // The statement was built against the tables' types, so its rows have the type that Kysely inferred.
    return rows as readonly R[]
  } catch (error) {
    throw translated(dialect, error)
  }
}

async function oneOn<P extends Values, R>(
  dialect: DatabaseDialect,
  connection: Connection,
  spec: StatementSpec<P, R>,
  values: P,
): Promise<R | undefined> {
  const compiled = compile(spec, dialect)
  try {
    const row: unknown = await connection.prepare(compiled.sql).first(bind(compiled, values))
    // As above; there may be none.
    return row as R | undefined
  } catch (error) {
    throw translated(dialect, error)
  }
}

async function inTransaction<T>(
  dialect: DatabaseDialect,
  pool: Pool,
  body: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire()
  try {
    await connection.begin()
    return await attempt(connection, () => body(transactionOn(dialect, connection)))
  } catch (error) {
    throw translated(dialect, error)
  } finally {
    connection.release()
  }
}

async function attempt<T>(connection: Connection, body: () => Promise<T>): Promise<T> {
  try {
    const result = await body()
    // A commit that fails (the disk is full) leaves the transaction open, so it is rolled back like the body.
    await connection.commit()
    return result
  } catch (error) {
    await connection.rollback().catch(() => undefined)
    throw error
  }
}

function transactionOn(dialect: DatabaseDialect, connection: Connection): Transaction {
  return {
    kind: 'transaction',
    all: (spec, values) => allOn(dialect, connection, spec, values),
    one: (spec, values) => oneOn(dialect, connection, spec, values),
    execute: async (build) => {
      for (const query of build(builderFor(dialect))) await connection.prepare(query.compile().sql).all([])
    },
  }
}

function translated(dialect: DatabaseDialect, error: unknown): unknown {
  const kind = dialect.classify(error)
  if (kind === 'unique') return new DuplicateError('duplicate', { cause: error })
  return kind === 'unavailable' ? new UnavailableError('unavailable', { cause: error }) : error
}
