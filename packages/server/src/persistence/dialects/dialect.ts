import type { DialectAdapter, QueryCompiler } from 'kysely'
import type { LinkText, PageText } from '../page-text.ts'

/** A value that can be bound to a statement. */
export type SqlValue = string | number | null

/**
 * A value, or a promise that resolves to a value. In-process drivers return values immediately to save event loop
 * turns. Other drivers return promises.
 */
export type Eventually<T> = T | Promise<T>

/** A prepared statement that can run many times. */
export interface Statement {
  all(values: readonly SqlValue[]): Eventually<readonly unknown[]>
  /** Returns the first row. Some drivers have a faster way to read only one row. */
  first(values: readonly SqlValue[]): Eventually<unknown>
  /**
   * Reads a page with a statement that selects `id` and `document`. Undefined if the driver must read the rows of a
   * page one by one.
   */
  readonly pageText?: ((values: readonly SqlValue[], link: LinkText) => Eventually<PageText>) | undefined
}

/**
 * The kind of transaction. `upkeep` runs exclusively and without a timeout. `change` has a timeout, because a caller is
 * waiting for it.
 */
export type TransactionKind = 'change' | 'upkeep'

/** A connection to the database. The dialect determines the number of connections. */
export interface Connection {
  /** Returns the prepared statement for an SQL text. Each statement is prepared on first use. */
  prepare(sql: string): Statement
  /** Runs a statement without values and without preparing it. */
  run(sql: string): Promise<void>
  begin(kind: TransactionKind): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Returns the connection to the pool. */
  release(): void
}

/** The only connection to a database, which runs statements synchronously. */
export interface SoleConnection {
  /** Whether commits wait until the data is on disk. */
  readonly durable: boolean
  prepare(sql: string): Statement
  /** Runs a statement that takes no values and returns no rows. */
  run(sql: string): void
  /** Returns whether a transaction is open. A transaction can end early because of a failure. */
  inTransaction(): boolean
  /**
   * Checks that the database file still exists.
   *
   * @throws {UnavailableError} if the file was removed or replaced after it was opened.
   */
  requireFile(): void
  close(): void
}

/** An open database with a pool of connections. */
export interface Pool {
  acquire(): Promise<Connection>
  /**
   * Waits until no other process is running `exclusively` on this database, then runs the work. The server calls this
   * method at startup.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The category of a driver error:
 *
 * - `unique`: The key already exists.
 * - `conflict`: The transaction conflicts with another transaction and can be retried.
 * - `unavailable`: The database doesn't respond, is full or is read-only.
 * - `oversized`: An indexed text is too long.
 */
export type FailureKind = 'unique' | 'conflict' | 'unavailable' | 'oversized'

/**
 * The differences between databases. All databases share the tables, statements, repositories and migrations. To
 * support another database, add one file to this folder.
 */
export interface DatabaseDialect {
  readonly name: string
  readonly adapter: DialectAdapter
  readonly compiler: QueryCompiler
  /**
   * Whether other processes may use the same database. If true, the server doesn't cache any data between statements.
   */
  readonly shared: boolean
  /** Whether transactions must lock (`FOR UPDATE`) the rows that they read and later change. */
  readonly locksRows: boolean
  /**
   * Whether the length of each list is stored in a single row of `row_counts`, which requires a database that allows
   * only one writer at a time. If false, each connection uses a separate row.
   */
  readonly countsTogether: boolean
  open(): Promise<Pool | SoleConnection>
  /** Classifies a driver error. Returns undefined for errors of any other kind. */
  classify(error: unknown): FailureKind | undefined
}
