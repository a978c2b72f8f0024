import type { SqlValue } from './dialect.ts'

/** What SQLite keeps in a column. */
export type SqliteValue = SqlValue | Uint8Array

export type Values = readonly SqliteValue[]

/** A statement that is done when it returns. */
export interface SqliteStatement {
  /** Its rows, as objects: none for one that answers with none. */
  all(values: Values): readonly unknown[]
  /** The first row. A change with RETURNING may stop there, before it is done with the others. */
  first(values: Values): unknown
}

/** A file of SQLite that is open, or a database in memory. Whatever SQLite itself refuses is a `SqliteFailure`. */
export interface SqliteFile {
  /** False outside of a transaction, and where a failure has ended it. */
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  /** A statement that reads one row, as an array: undefined if there is none. */
  prepareRow(sql: string): (values: Values) => Values | undefined
  /** Runs statements without values, and reads no row. */
  exec(sql: string): void
  close(): void
}

/** What opens files of SQLite. */
export interface SqliteDriver {
  readonly name: string
  open(path: string): SqliteFile
}
