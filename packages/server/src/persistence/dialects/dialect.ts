import type { DialectAdapter, QueryCompiler } from 'kysely'
import type { LinkText, PageText } from '../page-text.ts'

/** A value that can be bound to a statement. */
export type SqlValue = string | number | null

/**
 * A value that in-process drivers return immediately and other drivers return as a promise. Immediate values save event
 * loop turns.
 */
export type Eventually<T> = T | Promise<T>

/** A statement that is prepared once and run many times. */
export interface Statement {
  all(values: readonly SqlValue[]): Eventually<readonly unknown[]>
  /** Returns the first row. Some drivers have a faster way to read a single row. */
  first(values: readonly SqlValue[]): Eventually<unknown>
  /**
   * Reads a page with a statement that selects `id` and `document`. Undefined if the driver has no faster way
   * than reading each row.
   */
  readonly pageText?: ((values: readonly SqlValue[], link: LinkText) => Eventually<PageText>) | undefined
}

/** `upkeep` runs exclusively and without a timeout. `change` has a timeout, because a caller is waiting for it. */
export type TransactionKind = 'change' | 'upkeep'

/** A connection to the database. The dialect determines the number of connections. */
export interface Connection {
  /** Returns the prepared statement for an SQL text. Statements are prepared on first use. */
  prepare(sql: string): Statement
  /** Runs a statement without values. The statement isn't prepared. */
  run(sql: string): Promise<void>
  begin(kind: TransactionKind): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Returns the connection to the pool. */
  release(): void
}

/** The only connection to a database, which runs statements synchronously. */
export interface SoleConnection {
  /** True if commits wait for a disk. */
  readonly durable: boolean
  prepare(sql: string): Statement
  /** Runs a statement that has no values and returns no rows. */
  run(sql: string): void
  /** True within a transaction, until a failure ends it. */
  inTransaction(): boolean
  /**
   * Checks the database file.
   *
   * @throws {UnavailableError} if the file was removed or replaced after it was opened.
   */
  requireFile(): void
  close(): void
}

/** An open database, which provides connections. */
export interface Pool {
  acquire(): Promise<Connection>
  /**
   * Runs work while no other process runs `exclusively` on this database. The server uses this method when it
   * starts.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The meaning of a driver error:
 *
 * - `unique`: The key already exists.
 * - `conflict`: The transaction conflicts with another transaction and can be retried.
 * - `unavailable`: The database doesn't respond, is full or is read-only.
 * - `oversized`: An indexed text is too long.
 */
export type FailureKind = 'unique' | 'conflict' | 'unavailable' | 'oversized'

/**
 * Contains everything that differs between databases. Tables, statements, repositories and migrations are the
 * same for all databases, so a new database needs only one more file in this folder.
 */
export interface DatabaseDialect {
  readonly name: string
  readonly adapter: DialectAdapter
  readonly compiler: QueryCompiler
  /**
   * True if other processes may use the same database. The server then doesn't cache anything between two
   * statements.
   */
  readonly shared: boolean
  /** True if a transaction must lock rows (`FOR UPDATE`) when it reads them before a change. */
  readonly locksRows: boolean
  /**
   * True if a single `row_counts` row contains the length of a list, because there is only one writer at a
   * time. If false, each connection has a separate row.
   */
  readonly countsTogether: boolean
  open(): Promise<Pool | SoleConnection>
  /** Classifies a driver error. Returns undefined if the error has a different meaning. */
  classify(error: unknown): FailureKind | undefined
}
