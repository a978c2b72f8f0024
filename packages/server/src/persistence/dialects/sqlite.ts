import { accessSync, constants, existsSync, mkdirSync, rmSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import Libsql from 'libsql'
import { createLock, type Lock } from '../lock.ts'
import type { Connection, DatabaseDialect, FailureKind, Pool, SqlValue, Statement } from './dialect.ts'

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
    open: async () => (path === ':memory:' ? overFile(new Libsql(path)) : openFile(path)),
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

function openScratch(path: string): Pool {
  const file = new Libsql(path)
  for (const pragma of ['journal_mode=MEMORY', 'synchronous=OFF', 'temp_store=MEMORY']) {
    file.prepare(`PRAGMA ${pragma}`).all()
  }
  try {
    unlinkSync(path)
    return overFile(file)
  } catch {
    // Windows keeps the name of what is open.
    return overFile(file, () => rmSync(path, { force: true }))
  }
}

function openFile(path: string): Pool {
  const giveUp = own(path)
  try {
    return overFile(openDurably(path), giveUp)
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

function overFile(file: Libsql.Database, giveUp = () => {}): Pool {
  file.prepare('PRAGMA cache_size=-16384').all()
  const statements = new Map<string, Statement>()
  const lock = createLock()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    const prepared = prepareOn(file, sql)
    statements.set(sql, prepared)
    return prepared
  }
  const only = connection(prepare, lock)
  return {
    acquire: () => lock.acquire().then(() => only),
    // The file has one process.
    exclusively: (work) => work(),
    close: async () => {
      await lock.acquire()
      statements.clear()
      file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
      file.close()
      giveUp()
    },
  }
}

function connection(prepare: (sql: string) => Statement, lock: Lock): Connection {
  const run = async (sql: string) => {
    await prepare(sql).all([])
  }
  return {
    prepare,
    run,
    begin: () => run('BEGIN IMMEDIATE'),
    commit: () => run('COMMIT'),
    rollback: () => run('ROLLBACK'),
    release: () => lock.release(),
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
  const all = async (values: readonly SqlValue[]) => {
    check(values)
    if (reader) return statement.all(values)
    statement.run(values)
    return []
  }
  let single: Libsql.Statement | undefined
  return {
    all,
    // `get` takes a third of the time of `all`, but it stops at the first row, before a change with RETURNING is
    // done with the others.
    first: sql.startsWith('select')
      ? async (values) => {
          check(values)
          single ??= file.prepare(sql)
          return withoutMetadata(single.get(values))
        }
      : async (values) => (await all(values))[0],
  }
}

/** libsql adds a member of its own to what `get` returns. */
function withoutMetadata(row: unknown): unknown {
  if (typeof row === 'object' && row !== null) Reflect.deleteProperty(row, '_metadata')
  return row
}

function classify(error: unknown): FailureKind | undefined {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_CONSTRAINT_PRIMARYKEY') || code === 'SQLITE_CONSTRAINT_UNIQUE') return 'unique'
  return /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|LOCKED|NOMEM)/.test(code) ? 'unavailable' : undefined
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
