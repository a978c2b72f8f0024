import type { Compilable } from 'kysely'
import {
  type DatabaseAccess,
  pooledAccess,
  type RunStatement,
  singleConnectionAccess,
  type TransactionStatements,
} from './access.ts'
import { type DatabaseKind, kindOfDatabase } from './database-address.ts'
import type {
  DatabaseDialect,
  Eventually,
  Pool,
  SoleConnection,
  TransactionKind,
} from './dialects/dialect.ts'
import { postgresDialect } from './dialects/postgres.ts'
import { scratchDialect, sqliteDialect } from './dialects/sqlite.ts'
import { translated } from './failures.ts'
import { type LinkText, type PageText, pageTextOf } from './page-text.ts'
import {
  type Builder,
  bind,
  builderFor,
  compile,
  isRead,
  type StatementSpec,
  type Values,
} from './statement.ts'

/** Runs statements, either individually or in a transaction. */
export interface Session {
  all<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<readonly R[]>
  one<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<R | undefined>
  /** Reads a page of stored documents as text for a response. */
  page<P extends Values>(spec: StatementSpec<P, StoredRow>, values: P, link: LinkText): Promise<PageText>
}

/** The columns that statements for lists read for each document. */
export interface StoredRow {
  readonly id: string
  readonly document: string
}

/** A session whose changes are either all applied or all rolled back. */
export interface Transaction extends Session {
  readonly kind: 'transaction'
  /** Runs statements that are needed only once, such as schema changes. */
  execute(build: (db: Builder) => readonly Compilable[]): Promise<void>
}

export interface Database extends Session {
  readonly dialect: DatabaseDialect
  /**
   * Runs the body in a serializable transaction. The body must await only its own statements, because on SQLite, all
   * other callers wait until the transaction ends. The body must have no other side effects, because on PostgreSQL, it
   * runs again after a conflict.
   */
  transaction<T>(body: (transaction: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /**
   * Returns a view of the database that calls a guard function before each change. If the guard function throws an
   * error, the change is rejected.
   */
  guarded(guard: () => void): Database
  /**
   * Waits until no other process is running `exclusively` on this database, then runs the work. The server calls this
   * method at startup.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /**
   * Checks that the database file still exists.
   *
   * @throws {UnavailableError} if the file was removed or replaced after it was opened.
   */
  requireFile(): void
  close(): Promise<void>
}

export interface DatabaseOptions {
  /**
   * The maximum number of connections per process. This option is ignored if the database supports only one connection.
   */
  readonly connections?: number
  /** The timeout for responses from PostgreSQL, in milliseconds. There is no timeout for migrations. */
  readonly respondWithin?: number
}

export { ClosedError, DuplicateError, OversizedError, onDisk, UnavailableError } from './failures.ts'

/**
 * Opens the database at an address.
 *
 * @example
 * ```ts
 * const database = await openDatabase(':memory:')
 * ```
 *
 * @throws {Error} if another server uses the file, the database doesn't respond, or the address is invalid.
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<Database> {
  const dialect = dialectOf(address, options)
  return over(dialect, await dialect.open())
}

/**
 * Opens a file as a temporary database for this process.
 *
 * @throws {UnavailableError} if the disk fails.
 */
export async function openScratch(path: string): Promise<Database> {
  const dialect = scratchDialect(path)
  try {
    return over(dialect, await dialect.open())
  } catch (error) {
    throw translated(dialect, error)
  }
}

const defaultConnections = 10

function dialectOf(address: string, options: DatabaseOptions): DatabaseDialect {
  return kindOf(address) === 'postgres'
    ? postgresDialect(address, { connections: defaultConnections, ...options })
    : sqliteDialect(address)
}

function kindOf(address: string): DatabaseKind {
  try {
    return kindOfDatabase(address)
  } catch (error) {
    throw new Error(`The address of the database ${error instanceof Error ? error.message : String(error)}`)
  }
}

function over(dialect: DatabaseDialect, opened: Pool | SoleConnection): Database {
  return on(
    dialect,
    'acquire' in opened ? pooledAccess(opened, dialect) : singleConnectionAccess(opened, dialect),
  )
}

const on = (dialect: DatabaseDialect, access: DatabaseAccess): Database => ({
  dialect,
  ...sessionOf(dialect, access.statement),
  transaction: (body, kind = 'change') =>
    access.transaction(kind, (within) => body(transactionOn(dialect, within))),
  guarded: (guard) => on(dialect, behind(guard, access)),
  exclusively: (work) => access.exclusively(work),
  requireFile: () => access.requireFile(),
  close: () => access.close(),
})

const behind = (guard: () => void, access: DatabaseAccess): DatabaseAccess => ({
  ...access,
  statement: (sql, use) =>
    access.statement(
      sql,
      isRead(sql)
        ? use
        : (statement) => {
            guard()
            return use(statement)
          },
    ),
  transaction: (kind, body) =>
    access.transaction(kind, async (within) => {
      guard()
      return body(within)
    }),
})

function transactionOn(dialect: DatabaseDialect, within: TransactionStatements): Transaction {
  return {
    kind: 'transaction',
    ...sessionOf(dialect, within.statement),
    execute: async (build) => {
      for (const query of build(builderFor(dialect))) await within.run(query.compile().sql)
    },
  }
}

function sessionOf(dialect: DatabaseDialect, run: RunStatement): Session {
  return {
    all: async <P extends Values, R>(spec: StatementSpec<P, R>, values: P) => {
      const compiled = compile(spec, dialect)
      const rows: readonly unknown[] = await run(compiled.sql, (one) => one.all(bind(compiled, values)))
      // Kysely inferred the type of the rows from the table types.
      return rows as readonly R[]
    },
    one: async <P extends Values, R>(spec: StatementSpec<P, R>, values: P) => {
      const compiled = compile(spec, dialect)
      const row: unknown = await run(compiled.sql, (one) => one.first(bind(compiled, values)))
      // Kysely inferred the row's type from the table types. The result is undefined if there is no row.
      return row as R | undefined
    },
    page: async <P extends Values>(spec: StatementSpec<P, StoredRow>, values: P, link: LinkText) => {
      const compiled = compile(spec, dialect)
      const bound = bind(compiled, values)
      return run<PageText>(compiled.sql, (one) =>
        one.pageText ? one.pageText(bound, link) : rowByRow(one.all(bound), link),
      )
    },
  }
}

const rowByRow = async (rows: Eventually<readonly unknown[]>, link: LinkText): Promise<PageText> =>
  pageTextOf(await rows, link)
