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

/** Runs statements, either one by one or all in one transaction. */
export interface Session {
  all<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<readonly R[]>
  one<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<R | undefined>
  /** Reads a page of stored documents as text for a response. */
  page<P extends Values>(spec: StatementSpec<P, StoredRow>, values: P, link: LinkText): Promise<PageText>
}

/** The columns that are read for each document in a list. */
export interface StoredRow {
  readonly id: string
  readonly document: string
}

/** A session that applies either all changes or none. */
export interface Transaction extends Session {
  readonly kind: 'transaction'
  /** Runs statements that are needed only once, such as schema changes. */
  execute(build: (db: Builder) => readonly Compilable[]): Promise<void>
}

export interface Database extends Session {
  readonly dialect: DatabaseDialect
  /**
   * Runs the body in a serializable transaction. The body must not await anything except its statements, because all
   * other callers wait for it on SQLite. The body must not have other side effects, because conflicts on PostgreSQL
   * cause retries.
   */
  transaction<T>(body: (transaction: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /**
   * Returns the same database with a guard that runs before each change. If the guard throws an error, the
   * change fails with it.
   */
  guarded(guard: () => void): Database
  /**
   * Runs work while no other process runs `exclusively` on this database. The server uses this method when it
   * starts.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /**
   * Checks the database file.
   *
   * @throws {UnavailableError} if the file was removed or replaced after it was opened.
   */
  requireFile(): void
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The maximum number of connections per process. Ignored if the database supports only one. */
  readonly connections?: number
  /** The timeout for responses from PostgreSQL, in milliseconds. Migrations don't have a timeout. */
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
 * @throws {Error} if another server uses the file, the database doesn't respond, or the address is invalid.
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<Database> {
  const dialect = dialectOf(address, options)
  return over(dialect, await dialect.open())
}

/**
 * Opens a file as a temporary copy that only this process uses.
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
      // Kysely inferred the type of the row from the table types when it built the statement.
      return rows as readonly R[]
    },
    one: async <P extends Values, R>(spec: StatementSpec<P, R>, values: P) => {
      const compiled = compile(spec, dialect)
      const row: unknown = await run(compiled.sql, (one) => one.first(bind(compiled, values)))
      // Kysely also inferred the type of this row, which may be undefined.
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
