import { statSync } from 'node:fs'
import { UnavailableError } from '../failures.ts'
import { firstSlice } from '../migrations/0001-first-slice.ts'
import type { SqliteFile } from './sqlite-driver.ts'

/** The SQLite application ID of this server's files: "svcd" in ASCII (SQLite, "Database Header", 1.3.15). */
const applicationId = 0x73766364

/**
 * Marks a new file as created by this server. Rejects a file that belongs to another application, and doesn't write to
 * this file.
 *
 * @throws {ForeignFileError} if the file contains another application's tables.
 */
export function claim(file: SqliteFile, path: string): void {
  const [id] = file.prepareRow('PRAGMA application_id')([]) ?? []
  if (id === applicationId) return
  if (id !== 0 || !(isEmpty(file) || isOlder(file))) throw new ForeignFileError(path)
  file.exec(`PRAGMA application_id = ${applicationId}`)
}

/** Thrown if the file contains another application's tables. */
export class ForeignFileError extends Error {
  constructor(path: string) {
    super(
      `The database file ${path} belongs to another application. ` +
        'Choose a file that this server created, or a new file',
    )
  }
}

const isEmpty = (file: SqliteFile): boolean =>
  file.prepareRow('select 1 from sqlite_schema')([]) === undefined

/**
 * Returns whether the file was created by an older version of this server. Older versions didn't set the application
 * ID.
 */
function isOlder(file: SqliteFile): boolean {
  const table = file.prepareRow("select 1 from sqlite_schema where type = 'table' and name = ?")
  if (table(['migrations']) === undefined || table(['settings']) === undefined) return false
  const [name] = file.prepareRow('select name from migrations where id = ?')([firstSlice.id]) ?? []
  return name === firstSlice.name
}

/**
 * Returns a function that checks whether the file still exists in its folder. On most systems, a deleted or replaced
 * file can still be used until it is closed, but all changes to it are lost.
 */
export function createFileCheck(path: string): () => void {
  const opened = identityOf(path)
  return () => {
    if (identityOf(path) === opened) return
    throw new UnavailableError(
      `The database file ${path} was removed or replaced while the server was using it. Stop the server and restore the file`,
    )
  }
}

/** Returns the identity of a file, or undefined if the file doesn't exist. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
