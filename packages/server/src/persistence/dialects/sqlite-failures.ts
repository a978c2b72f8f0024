import type { FailureKind } from './dialect.ts'
import type { SqliteFile, SqliteStatement } from './sqlite-driver.ts'

/** An SQLite error with the original message. */
export class SqliteFailure extends Error {
  /** SQLite's extended result code (SQLite documentation, "Result and Error Codes"). */
  readonly result: number
  /** The name of the primary result code, for logs. */
  readonly code: string

  constructor(message: string, result: number) {
    super(message)
    this.result = result
    this.code = `SQLITE_${unavailable.get(primaryOf(result))?.name ?? 'ERROR'}`
  }
}

const busy = 5
const damaged = 11
const noDatabase = 26

/** The primary result codes of temporary failures, with their names and messages in SQLite (`sqlite3_errstr`). */
const unavailable: ReadonlyMap<number, { readonly name: string; readonly says: string }> = new Map([
  [busy, { name: 'BUSY', says: 'database is locked' }],
  [6, { name: 'LOCKED', says: 'database table is locked' }],
  [7, { name: 'NOMEM', says: 'out of memory' }],
  [8, { name: 'READONLY', says: 'attempt to write a readonly database' }],
  [10, { name: 'IOERR', says: 'disk I/O error' }],
  // SQLite also reports that a file is damaged if the file can't be read from the disk.
  [damaged, { name: 'CORRUPT', says: 'database disk image is malformed' }],
  [13, { name: 'FULL', says: 'database or disk is full' }],
  [14, { name: 'CANTOPEN', says: 'unable to open database file' }],
])

/** The extended result codes for duplicate primary keys and other duplicate unique keys. */
const duplicate = { key: 1555, other: 2067 }

const generic = 1

/** Determines an error's result code from SQLite's message. */
export function resultOfWords(message: string): number {
  if (message.startsWith('UNIQUE constraint failed: ')) return duplicate.other
  if (message === 'file is not a database') return noDatabase
  const [result] = [...unavailable].find(([, { says }]) => says === message) ?? []
  return result ?? generic
}

export function classify(error: unknown): FailureKind | undefined {
  if (!(error instanceof SqliteFailure)) return undefined
  const { result } = error
  if (result === duplicate.key || result === duplicate.other) return 'unique'
  return unavailable.has(primaryOf(result)) ? 'unavailable' : undefined
}

/** Returns whether another connection or process holds the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteFailure && primaryOf(error.result) === busy

/** Returns whether the file's contents are damaged. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof SqliteFailure && primaryOf(error.result) === damaged

/** Returns whether the file isn't an SQLite database. */
export const isNoDatabase = (error: unknown): boolean =>
  error instanceof SqliteFailure && primaryOf(error.result) === noDatabase

/** Returns the primary code of an extended result code, which is its lowest byte. */
const primaryOf = (result: number): number => result & 0xff

/**
 * Wraps a file so that an I/O error always ends the current transaction. SQLite itself rolls back most of these
 * transactions. However, SQLite mistakes some failed reads for a malformed file and leaves the transaction open
 * ("Response To Errors Within A Transaction").
 *
 * @param failed Called after every failure, because earlier results in the same transaction may be invalid.
 */
export function endingWithFailures(file: SqliteFile, failed: () => void): SqliteFile {
  const ending =
    <T, R>(act: (given: T) => R) =>
    (given: T): R => {
      try {
        return act(given)
      } catch (error) {
        if (classify(error) === 'unavailable' && file.inTransaction) file.exec('ROLLBACK')
        failed()
        throw error
      }
    }
  return {
    get inTransaction() {
      return file.inTransaction
    },
    prepare: (sql): SqliteStatement => {
      const { all, first } = file.prepare(sql)
      return { all: ending(all), first: ending(first) }
    },
    prepareRow: (sql) => ending(file.prepareRow(sql)),
    exec: ending(file.exec),
    close: file.close,
  }
}
