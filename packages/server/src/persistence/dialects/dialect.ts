import type { DialectAdapter, QueryCompiler } from 'kysely'
import type { LinkText, PageText } from '../page-text.ts'

/** What can be bound to a statement. */
export type SqlValue = string | number | null

/** Now from a driver that works within the process, later from one that asks another: no turn of the loop for nothing. */
export type Eventually<T> = T | Promise<T>

/** One statement, prepared once and run many times. */
export interface Statement {
  all(values: readonly SqlValue[]): Eventually<readonly unknown[]>
  /** The first row, for who wants one: a driver may have a shorter way to it. */
  first(values: readonly SqlValue[]): Eventually<unknown>
  /** The page that a statement of `id` and `document` reads, where a driver has a shorter way to it than its rows. */
  readonly pageText?: ((values: readonly SqlValue[], link: LinkText) => Eventually<PageText>) | undefined
}

/**
 * How much a transaction may take: `upkeep`, which is done exclusively, as long as it needs, a `change` no longer than a
 * caller waits.
 */
export type TransactionKind = 'change' | 'upkeep'

/** One connection. A dialect decides how many there are. */
export interface Connection {
  /** The statement of this text, prepared on its first use. */
  prepare(sql: string): Statement
  /** Runs a statement without values that is not worth preparing. */
  run(sql: string): Promise<void>
  begin(kind: TransactionKind): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Gives the connection back. */
  release(): void
}

/** The connection of a database that has only one, whose statements are done when they return. */
export interface SoleConnection {
  /** True if a commit waits for a disk. */
  readonly durable: boolean
  prepare(sql: string): Statement
  /** Runs a statement without values and without rows. */
  run(sql: string): void
  /** False outside of a transaction, and where a failure has ended it. */
  inTransaction(): boolean
  close(): void
}

/** An open database: a source of connections. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Runs the work while no other process of this database is in `exclusively`. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * What a failure of the driver amounts to: a key that was there already, a transaction that lost against another
 * and may be run again, a database that does not answer, is full or may not be
 * written, or a text that is longer than what is found by it may be.
 */
export type FailureKind = 'unique' | 'conflict' | 'unavailable' | 'oversized'

/**
 * What differs between two databases. Everything else (tables, statements, repositories, migrations) is shared,
 * so supporting another database is one file beside this one.
 */
export interface DatabaseDialect {
  readonly name: string
  readonly adapter: DialectAdapter
  readonly compiler: QueryCompiler
  /** True if other processes may use the same database: then nothing is remembered between two statements. */
  readonly shared: boolean
  /** True if a row that will be changed must be locked when it is read (`FOR UPDATE`). */
  readonly locksRows: boolean
  /**
   * True if one row of `row_counts` says how long a list is, because one writer at a time changes it; otherwise each
   * connection has its own.
   */
  readonly countsTogether: boolean
  open(): Promise<Pool | SoleConnection>
  /** The failure of the driver in words of ours, or undefined if it is none of these. */
  classify(error: unknown): FailureKind | undefined
}
