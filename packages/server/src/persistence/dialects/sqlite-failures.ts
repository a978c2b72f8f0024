import type { FailureKind } from './dialect.ts'
import type { SqliteFile, SqliteStatement } from './sqlite-driver.ts'
import { driver } from './sqlite-drivers.ts'

/** Result codes of SQLite, and the two extended ones that we tell from others. */
const busy = 5
const unavailable: ReadonlySet<number> = new Set([
  busy,
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT: what it makes of a read that the disk failed as well
  13, // FULL
  14, // CANTOPEN
])
const unique: ReadonlySet<number> = new Set([
  1555, // CONSTRAINT_PRIMARYKEY
  2067, // CONSTRAINT_UNIQUE
])

export function classify(error: unknown): FailureKind | undefined {
  const result = driver.resultOf(error)
  if (result === undefined) return undefined
  if (unique.has(result)) return 'unique'
  return unavailable.has(primaryOf(result)) ? 'unavailable' : undefined
}

/** Whether somebody else has what was asked for. */
export const isBusy = (error: unknown): boolean => primaryOf(driver.resultOf(error) ?? 0) === busy

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
