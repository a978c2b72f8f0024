import type { SqlValue } from './dialect.ts'

/** A value in a SQLite column. */
export type SqliteValue = SqlValue | Uint8Array

export type Values = readonly SqliteValue[]

/** A statement that runs synchronously. */
export interface SqliteStatement {
  /** Returns the rows as objects, or an empty array. */
  all(values: Values): readonly unknown[]
  /**
   * Returns the first row. Some drivers have a faster way to read a single row. For a change with RETURNING, this may
   * stop before all rows are changed.
   */
  first(values: Values): unknown
}

/** An open SQLite file or in-memory database. All SQLite errors are thrown as `SqliteFailure`. */
export interface SqliteFile {
  /** False outside a transaction, and after a failure has ended the transaction. */
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  /** Prepares a statement that returns one row as an array, or undefined if there is no row. */
  prepareRow(sql: string): (values: Values) => Values | undefined
  /** Runs statements that have no values, and ignores their rows. */
  exec(sql: string): void
  close(): void
}

/** Opens SQLite files. */
export interface SqliteDriver {
  readonly name: string
  open(path: string): SqliteFile
}
