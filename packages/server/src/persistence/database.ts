import type { Compilable } from 'kysely'
import type { Connection, DatabaseDialect, Pool, TransactionKind } from './dialects/dialect.ts'
import { postgresDialect } from './dialects/postgres.ts'
import { scratchDialect, sqliteDialect } from './dialects/sqlite.ts'
import { ConflictError, DuplicateError, UnavailableError } from './failures.ts'
import { createRetrying } from './retry.ts'
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
   * Runs the body in one transaction, as if it ran alone. The body awaits nothing but its own statements, since on
   * SQLite everybody else waits meanwhile, and changes nothing outside of them, since it is run again if it
   * lost against another on PostgreSQL.
   */
  transaction<T>(body: (transaction: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /** Runs the work while no other process of this database is in `exclusively`: what happens at a start. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** How many connections a process holds at most, where a database takes several. */
  readonly connections?: number
}

export { DuplicateError, UnavailableError } from './failures.ts'

/**
 * Opens the database that an address names.
 *
 * @example
 * ```ts
 * const database = await openDatabase(':memory:')
 * ```
 * @throws {Error} if the file is in use by another server, the database does not answer, or the kind of address
 *   is unknown.
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<Database> {
  const dialect = dialectOf(address, options)
  return overPool(dialect, await dialect.open())
}

/** Opens a file as a copy that nobody wants back. */
export async function openScratch(path: string): Promise<Database> {
  const dialect = scratchDialect(path)
  return overPool(dialect, await dialect.open())
}

const defaultConnections = 10

function dialectOf(address: string, { connections = defaultConnections }: DatabaseOptions): DatabaseDialect {
  if (/^postgres(ql)?:\/\//.test(address)) return postgresDialect(address, { connections })
  if (/^\w{2,}:\/\//.test(address)) throw new Error(`No database dialect for ${address.split(':')[0]}://`)
  return sqliteDialect(address)
}

function overPool(dialect: DatabaseDialect, pool: Pool): Database {
  const borrow = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await acquire(dialect, pool)
    try {
      return await use(connection)
    } finally {
      connection.release()
    }
  }
  const retrying = createRetrying()
  // Nobody can lose against another where there is one writer.
  const run = dialect.shared
    ? <T>(use: (connection: Connection) => Promise<T>) => retrying(() => borrow(use))
    : borrow
  return {
    dialect,
    all: (spec, values) => run((connection) => allOn(dialect, connection, spec, values)),
    one: (spec, values) => run((connection) => oneOn(dialect, connection, spec, values)),
    transaction: (body, kind = 'change') =>
      run((connection) =>
        inTransaction(dialect, connection, kind, () => body(transactionOn(dialect, connection))),
      ),
    exclusively: (work) => pool.exclusively(work),
    close: () => pool.close(),
  }
}

async function acquire(dialect: DatabaseDialect, pool: Pool): Promise<Connection> {
  try {
    return await pool.acquire()
  } catch (error) {
    throw translated(dialect, error)
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
  connection: Connection,
  kind: TransactionKind,
  body: () => Promise<T>,
): Promise<T> {
  try {
    await connection.begin(kind)
    return await attempt(connection, body)
  } catch (error) {
    throw translated(dialect, error)
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
      for (const query of build(builderFor(dialect))) await connection.run(query.compile().sql)
    },
  }
}

function translated(dialect: DatabaseDialect, error: unknown): unknown {
  const kind = dialect.classify(error)
  if (kind === 'unique') return new DuplicateError('duplicate', { cause: error })
  if (kind === 'conflict') return new ConflictError('conflict', { cause: error })
  return kind === 'unavailable' ? new UnavailableError('unavailable', { cause: error }) : error
}
