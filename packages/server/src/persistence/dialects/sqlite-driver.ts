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

/** A file of SQLite that is open, or a database in memory. */
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
  /** SQLite's own code of a failure ("Result and Error Codes"), extended; undefined for a failure of another kind. */
  resultOf(error: unknown): number | undefined
}

/** Drivers bind too few values in silence. */
export function checkCount(values: Values, expected: number): void {
  if (values.length !== expected) throw new RangeError(`${values.length} values for ${expected} places`)
}

/** How many values a statement takes; ours have no question mark within a text. */
export const placesIn = (sql: string): number => sql.match(/\?/g)?.length ?? 0
