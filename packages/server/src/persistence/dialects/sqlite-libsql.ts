import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type Libsql from 'libsql'
import { memory } from '../database-address.ts'
import {
  checkCount,
  placesIn,
  type SqliteDriver,
  type SqliteFile,
  type SqliteStatement,
} from './sqlite-driver.ts'

/** Read only where it is used: its binary takes longer to load than a file takes to open. */
const load = (): typeof Libsql => createRequire(import.meta.url)('libsql')

/** SQLite through libsql, whose binaries come from the registry: for a Node that has none, or none that is finished. */
export const libsql: SqliteDriver = {
  name: 'libsql',
  open: (path) => {
    const file = new (load())(path === memory ? path : addressOf(path))
    return {
      get inTransaction() {
        return file.inTransaction
      },
      prepare: (sql) => prepareOn(file, sql),
      prepareRow: (sql) => rowOn(file, sql),
      exec: (sql) => void file.exec(sql),
      close: () => void file.close(),
    }
  },
  resultOf: (error) => {
    const { rawCode } = Object(error)
    return typeof rawCode === 'number' ? rawCode : undefined
  },
}

/**
 * The path as a URI that names the file system of SQLite itself ("URI Filenames"). The one that libsql takes otherwise, which
 * can encrypt, passes over a read that failed: it answers from whatever was in memory, and changes the file by that.
 */
function addressOf(path: string): string {
  // Before the path of a share, a host would be refused.
  const { host, pathname } = pathToFileURL(path)
  const vfs = process.platform === 'win32' ? 'win32' : 'unix'
  return `file://${host && `//${host}`}${pathname}?vfs=${vfs}`
}

/**
 * A `get` that follows an `all` on the same statement answers with the row of the values before: each has a statement of
 * its own.
 */
function prepareOn(file: Libsql.Database, sql: string): SqliteStatement {
  const statement = file.prepare(sql)
  const { reader } = statement
  const places = placesIn(sql)
  let single: SqliteStatement['first'] | undefined
  return {
    all: (values) => {
      checkCount(values, places)
      if (reader) return statement.all(values)
      statement.run(values)
      return []
    },
    first: (values) => {
      checkCount(values, places)
      single ??= firstOn(file, sql)
      return single(values)
    },
  }
}

/** libsql adds a member of its own to a row that `get` returns as an object: as an array it comes without. */
function firstOn(file: Libsql.Database, sql: string): SqliteStatement['first'] {
  const names = file
    .prepare(sql)
    .columns()
    .map(({ name }) => name)
  const rowFor = rowOn(file, sql)
  return (values) => {
    const found = rowFor(values)
    if (!found) return undefined
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = found[at]
    return row
  }
}

/**
 * After a failure of `get`, libsql takes no values for that statement once, and answers for those that it had: so it is
 * prepared anew. `all` and `run` take them.
 */
function rowOn(file: Libsql.Database, sql: string): ReturnType<SqliteFile['prepareRow']> {
  const prepared = () => file.prepare(sql).raw()
  let statement: Libsql.Statement | undefined = prepared()
  return (values) => {
    statement ??= prepared()
    try {
      const found: unknown = statement.get(values)
      return Array.isArray(found) ? found : undefined
    } catch (error) {
      statement = undefined
      throw error
    }
  }
}
