import type { SqlValue } from './dialect.ts'

/** A value in a SQLite column. */
export type SqliteValue = SqlValue | Uint8Array

export type Values = readonly SqliteValue[]

/** A statement that runs synchronously. */
export interface SqliteStatement {
  /** Returns the rows as objects. */
  all(values: Values): readonly unknown[]
  /**
   * Returns the first row. Some drivers have a faster way to read a single row. A change with RETURNING may
   * stop before all rows are changed.
   */
  first(values: Values): unknown
}

/** An open SQLite file or in-memory database. SQLite errors are always thrown as `SqliteFailure`. */
export interface SqliteFile {
  /** True within a transaction, until a failure ends it. */
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  /** Prepares a statement that returns one row as an array, or undefined if there is none. */
  prepareRow(sql: string): (values: Values) => Values | undefined
  /** Runs statements without values, and ignores any rows that they return. */
  exec(sql: string): void
  close(): void
}

export interface SqliteDriver {
  readonly name: string
  open(path: string): SqliteFile
}
