import { accessSync, constants, existsSync, mkdirSync, rmSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import Libsql from 'libsql'
import type { DatabaseDialect, FailureKind, SoleConnection, SqlValue, Statement } from './dialect.ts'

/**
 * SQLite in a file or in memory, through libsql, whose driver comes ready-built from the registry.
 *
 * One connection that owns the file: a second server on it would miss what this one remembers (`shared: false`),
 * so it is refused at start.
 */
export function sqliteDialect(path: string): DatabaseDialect {
  return {
    name: 'sqlite',
    adapter: new SqliteAdapter(),
    compiler: new SqliteQueryCompiler(),
    shared: false,
    locksRows: false,
    open: async () => (path === ':memory:' ? overFile(new Libsql(path), { durable: false }) : openFile(path)),
    classify,
  }
}

/**
 * A copy of a file that is this process's alone and that nobody wants back: it waits for no disk, and its name is
 * given up at once, so that nothing is left of it however the process ends.
 */
export function scratchDialect(path: string): DatabaseDialect {
  return { ...sqliteDialect(path), open: async () => openScratch(path) }
}

function openScratch(path: string): SoleConnection {
  const file = new Libsql(path)
  for (const pragma of ['journal_mode=MEMORY', 'synchronous=OFF', 'temp_store=MEMORY']) {
    file.prepare(`PRAGMA ${pragma}`).all()
  }
  try {
    unlinkSync(path)
    return overFile(file, { durable: false })
  } catch {
    // Windows keeps the name of what is open.
    return overFile(file, { durable: false, giveUp: () => rmSync(path, { force: true }) })
  }
}

function openFile(path: string): SoleConnection {
  const giveUp = own(path)
  try {
    return overFile(openDurably(path), { durable: true, giveUp })
  } catch (error) {
    giveUp()
    throw unwritable(path, error)
  }
}

function openDurably(path: string): Libsql.Database {
  // SQLite opens what it may only read as well, and says so at the first change.
  if (existsSync(path)) accessSync(path, constants.W_OK)
  const file = new Libsql(path)
  // WAL with FULL survives a power cut, not only a killed process.
  for (const pragma of ['journal_mode=WAL', 'synchronous=FULL']) file.prepare(`PRAGMA ${pragma}`).all()
  return file
}

/** Whoever starts a server learns which file, and not only that there was an input or output error. */
function unwritable(path: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error)
  return new Error(`The database file ${path} cannot be written: ${why}`, { cause: error })
}

/**
 * Takes the file for this process. The lock is on a file beside it, because libsql keeps a closed connection's
 * own locks until its statements are collected; the system drops it when the process dies.
 */
function own(path: string): () => void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const owner = new Libsql(`${path}-owner`)
    try {
      owner.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      owner.close()
      throw error
    }
    return () => {
      owner.exec('ROLLBACK')
      owner.close()
    }
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_BUSY') throw unwritable(path, error)
    throw new Error(`The database file ${path} is in use by another server`, { cause: error })
  }
}

interface Kept {
  readonly durable: boolean
  /** Called when it is closed. */
  readonly giveUp?: () => void
}

function overFile(file: Libsql.Database, { durable, giveUp }: Kept): SoleConnection {
  file.prepare('PRAGMA cache_size=-16384').all()
  const statements = new Map<string, Statement>()
  return {
    durable,
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known) return known
      const prepared = prepareOn(file, sql)
      statements.set(sql, prepared)
      return prepared
    },
    run: (sql) => {
      file.exec(sql)
    },
    inTransaction: () => file.inTransaction,
    close: () => {
      statements.clear()
      file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
      file.close()
      giveUp?.()
    },
  }
}

/**
 * libsql binds too few values in silence, so the count is checked here. And a `get` that follows an `all` on the
 * same statement answers with the row of the values before: each has a statement of its own.
 */
function prepareOn(file: Libsql.Database, sql: string): Statement {
  const statement = file.prepare(sql)
  const { reader } = statement
  const expected = sql.match(/\?/g)?.length ?? 0
  const check = (values: readonly SqlValue[]) => {
    if (values.length !== expected) throw new RangeError(`${values.length} values for ${expected} places`)
  }
  const all = (values: readonly SqlValue[]) => {
    check(values)
    if (reader) return statement.all(values)
    statement.run(values)
    return []
  }
  let single: ((values: readonly SqlValue[]) => unknown) | undefined
  return {
    all,
    // `get` takes a third of the time of `all`, but it stops at the first row, before a change with RETURNING is
    // done with the others.
    first: sql.startsWith('select')
      ? (values) => {
          check(values)
          single ??= firstRowOf(file.prepare(sql))
          return single(values)
        }
      : (values) => all(values)[0],
  }
}

/** libsql adds a member of its own to a row that `get` returns as an object: as an array it comes without. */
function firstRowOf(statement: Libsql.Statement): (values: readonly SqlValue[]) => unknown {
  const names = statement.columns().map(({ name }) => name)
  statement.raw()
  return (values) => {
    const found: unknown = statement.get(values)
    if (!Array.isArray(found)) return undefined
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = found[at]
    return row
  }
}

function classify(error: unknown): FailureKind | undefined {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_CONSTRAINT_PRIMARYKEY') || code === 'SQLITE_CONSTRAINT_UNIQUE') return 'unique'
  return /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|LOCKED|NOMEM)/.test(code) ? 'unavailable' : undefined
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
