import type { DialectAdapter, QueryCompiler } from 'kysely'
import type { LinkText, PageText } from '../page-text.ts'

/** A value that can be bound to a statement. */
export type SqlValue = string | number | null

/** Immediate for in-process drivers, a promise for others. Avoids needless turns of the event loop. */
export type Eventually<T> = T | Promise<T>

/** A statement that is prepared once and run many times. */
export interface Statement {
  all(values: readonly SqlValue[]): Eventually<readonly unknown[]>
  /** The first row. Drivers may have a faster way to read a single row. */
  first(values: readonly SqlValue[]): Eventually<unknown>
  /**
   * Reads the page of a statement that selects `id` and `document`, if the driver has a faster way than reading
   * rows.
   */
  readonly pageText?: ((values: readonly SqlValue[], link: LinkText) => Eventually<PageText>) | undefined
}

/** `upkeep` runs exclusively and without a time limit. A `change` is limited to the time that a caller waits. */
export type TransactionKind = 'change' | 'upkeep'

/** A connection. The dialect determines how many there are. */
export interface Connection {
  /** Returns the prepared statement for a text. Prepares it on first use. */
  prepare(sql: string): Statement
  /** Runs a statement without values that isn't worth preparing. */
  run(sql: string): Promise<void>
  begin(kind: TransactionKind): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Returns the connection to the pool. */
  release(): void
}

/** The connection of a database that has only one and runs statements synchronously. */
export interface SoleConnection {
  /** True if commits wait for a disk. */
  readonly durable: boolean
  prepare(sql: string): Statement
  /** Runs a statement without values and rows. */
  run(sql: string): void
  /** False outside of a transaction, and after a failure has ended the transaction. */
  inTransaction(): boolean
  /** @throws {UnavailableError} if the file was removed or replaced since it was opened. */
  requireFile(): void
  close(): void
}

/** An open database that provides connections. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Runs the work while no other process is in `exclusively` for this database. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The meaning of a driver error:
 *
 * - `unique`: the key already exists.
 * - `conflict`: the transaction lost against another one and can be repeated.
 * - `unavailable`: the database doesn't respond, is full or is read-only.
 * - `oversized`: an indexed text is too long.
 */
export type FailureKind = 'unique' | 'conflict' | 'unavailable' | 'oversized'

/**
 * The differences between databases. Tables, statements, repositories and migrations are shared, so another
 * database needs only one more file in this folder.
 */
export interface DatabaseDialect {
  readonly name: string
  readonly adapter: DialectAdapter
  readonly compiler: QueryCompiler
  /** True if other processes may use the same database. Nothing is then cached between statements. */
  readonly shared: boolean
  /** True if rows must be locked when they are read before a change (`FOR UPDATE`). */
  readonly locksRows: boolean
  /**
   * True if one row of `row_counts` has the length of a list, because there is only one writer at a time.
   * Otherwise, each connection has its own row.
   */
  readonly countsTogether: boolean
  open(): Promise<Pool | SoleConnection>
  /** Classifies a driver error; undefined for other errors. */
  classify(error: unknown): FailureKind | undefined
}
