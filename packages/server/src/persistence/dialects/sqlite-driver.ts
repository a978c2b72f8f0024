import type { SqlValue } from './dialect.ts'

/** A value in a SQLite column. */
export type SqliteValue = SqlValue | Uint8Array

export type Values = readonly SqliteValue[]

/** A statement that runs synchronously. */
export interface SqliteStatement {
  /** Returns the rows as objects. */
  all(values: Values): readonly unknown[]
  /**
   * Returns only the first row, which is faster in some drivers. A change with a `RETURNING` clause may stop before it
   * has changed all rows.
   */
  first(values: Values): unknown
}

/** An open SQLite file or in-memory database. Throws all SQLite errors as `SqliteFailure`. */
export interface SqliteFile {
  /** Whether a transaction is open. A transaction can end early because of a failure. */
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  /** Prepares a statement that returns one row as an array, or undefined if no row matches. */
  prepareRow(sql: string): (values: Values) => Values | undefined
  /** Runs statements that have no values, and ignores any rows that they return. */
  exec(sql: string): void
  close(): void
}

export interface SqliteDriver {
  readonly name: string
  open(path: string): SqliteFile
}
