import type { SqlValue } from './dialect.ts'

/** A value in a SQLite column. */
export type SqliteValue = SqlValue | Uint8Array

export type Values = readonly SqliteValue[]

/** A statement that runs synchronously. */
export interface SqliteStatement {
  /** The rows as objects, or an empty array. */
  all(values: Values): readonly unknown[]
  /** The first row. For a change with RETURNING, this may stop before all rows are changed. */
  first(values: Values): unknown
}

/** An open SQLite file, or an in-memory database. All SQLite errors are thrown as `SqliteFailure`. */
export interface SqliteFile {
  /** False outside of a transaction, and after a failure has ended the transaction. */
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  /** Prepares a statement that reads one row as an array; undefined if there is none. */
  prepareRow(sql: string): (values: Values) => Values | undefined
  /** Runs statements without values and ignores their rows. */
  exec(sql: string): void
  close(): void
}

/** Opens SQLite files. */
export interface SqliteDriver {
  readonly name: string
  open(path: string): SqliteFile
}
