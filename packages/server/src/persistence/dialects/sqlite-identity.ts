import { statSync } from 'node:fs'
import { UnavailableError } from '../failures.ts'
import { firstSlice } from '../migrations/0001-first-slice.ts'
import type { SqliteFile } from './sqlite-driver.ts'

/** Marks the files of this server (SQLite, "Database Header", 1.3.15): "svcd" in ASCII. */
const applicationId = 0x73766364

/**
 * Marks a new file as this server's, and rejects the files of other applications before anything is written to them.
 *
 * @throws {ForeignFileError}
 */
export function claim(file: SqliteFile, path: string): void {
  const [id] = file.prepareRow('PRAGMA application_id')([]) ?? []
  if (id === applicationId) return
  if (id !== 0 || !(isEmpty(file) || isOlder(file))) throw new ForeignFileError(path)
  file.exec(`PRAGMA application_id = ${applicationId}`)
}

/** The file has tables of another application. */
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

/** Whether the file was created by a version of this server that didn't set the id. */
function isOlder(file: SqliteFile): boolean {
  const table = file.prepareRow("select 1 from sqlite_schema where type = 'table' and name = ?")
  if (table(['migrations']) === undefined || table(['settings']) === undefined) return false
  const [name] = file.prepareRow('select name from migrations where id = ?')([firstSlice.id]) ?? []
  return name === firstSlice.name
}

/**
 * Returns a check that the file is still in its folder. On most systems, an open file that was deleted or replaced
 * works until it is closed, and then all changes are lost.
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

/** Undefined if there is no such file. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
