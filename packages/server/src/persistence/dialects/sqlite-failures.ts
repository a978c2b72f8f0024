import type { FailureKind } from './dialect.ts'
import type { SqliteFile, SqliteStatement } from './sqlite-driver.ts'

/** A failure of SQLite, in its own words. */
export class SqliteFailure extends Error {
  /** SQLite's own number of it ("Result and Error Codes"), extended. */
  readonly result: number
  /** The name of the primary result, for a log. */
  readonly code: string

  constructor(message: string, result: number) {
    super(message)
    this.result = result
    this.code = `SQLITE_${unavailable.get(primaryOf(result))?.name ?? 'ERROR'}`
  }
}

const busy = 5

/** The primary results that may be others the next time, by what SQLite calls them and says of them (`sqlite3_errstr`). */
const unavailable: ReadonlyMap<number, { readonly name: string; readonly says: string }> = new Map([
  [busy, { name: 'BUSY', says: 'database is locked' }],
  [6, { name: 'LOCKED', says: 'database table is locked' }],
  [7, { name: 'NOMEM', says: 'out of memory' }],
  [8, { name: 'READONLY', says: 'attempt to write a readonly database' }],
  [10, { name: 'IOERR', says: 'disk I/O error' }],
  // What it makes of a read that the disk failed as well.
  [11, { name: 'CORRUPT', says: 'database disk image is malformed' }],
  [13, { name: 'FULL', says: 'database or disk is full' }],
  [14, { name: 'CANTOPEN', says: 'unable to open database file' }],
])

/** Two extended results: of a primary key, and of any other. */
const duplicate = { key: 1555, other: 2067 }

const generic = 1

/** The result of a failure of which nothing but SQLite's words are known. */
export function resultOfWords(message: string): number {
  if (message.startsWith('UNIQUE constraint failed: ')) return duplicate.other
  const [result] = [...unavailable].find(([, { says }]) => says === message) ?? []
  return result ?? generic
}

export function classify(error: unknown): FailureKind | undefined {
  if (!(error instanceof SqliteFailure)) return undefined
  const { result } = error
  if (result === duplicate.key || result === duplicate.other) return 'unique'
  return unavailable.has(primaryOf(result)) ? 'unavailable' : undefined
}

/** Whether somebody else has what was asked for. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteFailure && primaryOf(error.result) === busy

/** An extended code has the primary one in its lowest byte. */
const primaryOf = (result: number): number => result & 0xff

/**
 * The file, whose transaction is over once the file itself has failed: nothing more comes of it. SQLite takes back most of
 * them by itself, but not those in which it takes a failed read for a malformed file, and then wants a ROLLBACK
 * ("Response To Errors Within A Transaction").
 *
 * @param failed called after every failure: what was read in the transaction may not be so.
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
