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

/** Where statements run: the database itself, each statement on its own, or one transaction. */
export interface Session {
  all<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<readonly R[]>
  one<P extends Values, R>(spec: StatementSpec<P, R>, values: P): Promise<R | undefined>
  /** What a page of stored documents reads as it is sent. */
  page<P extends Values>(spec: StatementSpec<P, StoredRow>, values: P, link: LinkText): Promise<PageText>
}

/** What of a stored document is listed. */
export interface StoredRow {
  readonly id: string
  readonly document: string
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
  /** The same database, whose changes call the guard first, where and when they are run; what it throws, they fail with. */
  guarded(guard: () => void): Database
  /** Runs the work while no other process of this database is in `exclusively`: what happens at a start. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** How many connections a process holds at most, where a database takes several. */
  readonly connections?: number
  /** Milliseconds until a connection to PostgreSQL on which nobody answers is given up; a migration takes its time. */
  readonly respondWithin?: number
}

export { ClosedError, DuplicateError, OversizedError, onDisk, UnavailableError } from './failures.ts'

/**
 * Opens the database that an address names.
 *
 * @example
 * ```ts
 * const database = await openDatabase(':memory:')
 * ```
 * @throws {Error} if the file is in use by another server, the database does not answer, or the address is none.
 */
export async function openDatabase(address: string, options: DatabaseOptions = {}): Promise<Database> {
  const dialect = dialectOf(address, options)
  return over(dialect, await dialect.open())
}

/** Opens a file as a copy that nobody wants back. @throws {UnavailableError} if the disk does not let it. */
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
      // The statement was built against the tables' types, so its rows have the type that Kysely inferred.
      return rows as readonly R[]
    },
    one: async <P extends Values, R>(spec: StatementSpec<P, R>, values: P) => {
      const compiled = compile(spec, dialect)
      const row: unknown = await run(compiled.sql, (one) => one.first(bind(compiled, values)))
      // As above; there may be none.
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
