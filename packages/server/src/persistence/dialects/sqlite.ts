import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import { memory } from '../database-address.ts'
import { UnavailableError } from '../failures.ts'
import type { DatabaseDialect, SoleConnection } from './dialect.ts'
import { createCommits } from './sqlite-commits.ts'
import type { SqliteFile } from './sqlite-driver.ts'
import { driver } from './sqlite-drivers.ts'
import { classify, isBusy } from './sqlite-failures.ts'
import { createStatements } from './sqlite-statements.ts'

/**
 * SQLite in a file or in memory, through the driver that is best on this Node.
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
    countsTogether: true,
    open: async () => (path === memory ? overFile(openWith(path, []), {}) : openFile(path)),
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
  const giveUp = () => rmSync(path, { force: true })
  const file = openWith(path, ['journal_mode=MEMORY', 'synchronous=OFF', 'temp_store=MEMORY'], giveUp)
  try {
    unlinkSync(path)
  } catch {
    // Windows keeps the name of what is open.
    return overFile(file, { giveUp })
  }
  return overFile(file, {})
}

function openFile(path: string): SoleConnection {
  const giveUp = own(path)
  try {
    return overFile(openDurably(path), { path, giveUp })
  } catch (error) {
    giveUp()
    throw unwritable(path, error)
  }
}

function openDurably(path: string): SqliteFile {
  // SQLite opens what it may only read as well, and says so at the first change.
  if (existsSync(path)) accessSync(path, constants.W_OK)
  else makePrivately(path)
  // WAL with FULL survives a power cut, not only a killed process.
  return openWith(path, ['journal_mode=WAL', 'synchronous=FULL'])
}

/**
 * Makes a file that its owner alone may read, whatever others may be let do with the usual ones: what is kept of the
 * secret of an API key signs in like the secret (RFC 7616 §5.2). SQLite gives what it puts beside a file the same mode.
 */
function makePrivately(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // SQLite has words of its own for a file that cannot be.
  }
}

/** @param failed called where the file cannot be used. */
function openWith(path: string, pragmas: readonly string[], failed = () => {}): SqliteFile {
  let file: SqliteFile | undefined
  try {
    file = driver.open(path)
    for (const pragma of [...pragmas, 'cache_size=-16384']) file.exec(`PRAGMA ${pragma}`)
    return file
  } catch (error) {
    file?.close()
    failed()
    throw error
  }
}

/** Whoever starts a server learns which file, and not only that there was an input or output error. */
function unwritable(path: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error)
  return new UnavailableError(`The database file ${path} cannot be written: ${why}`, { cause: error })
}

/**
 * Takes the file for this process. The lock is on a file beside it, so that others may look into the file itself;
 * the system drops it when the process dies. Every path to the file
 * leads to the same lock, but for hard links, each of which has a folder of its own.
 */
function own(path: string): () => void {
  try {
    makeFolder(dirname(path))
    const owner = driver.open(`${realPath(path)}-owner`)
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
    if (!isBusy(error)) throw unwritable(path, error)
    throw new Error(`The database file ${path} is in use by another server`, { cause: error })
  }
}

/**
 * Makes a folder and those that it lies in. Node's own way goes round in circles for ever where the system says that the
 * folder of a new one is not there although it is, as `/proc` does.
 */
function makeFolder(path: string): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (isFolder()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder()) throw error
  }
}

/** Where a file is, or will be once it is made: SQLite follows links to it as well. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path)
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink()) return realPath(resolve(dirname(path), readlinkSync(path)))
  return join(realpathSync.native(dirname(path)), basename(path))
}

interface Kept {
  /** Where it is, if its commits wait for a disk, and others can open it. */
  readonly path?: string
  /** Called when it is closed. */
  readonly giveUp?: () => void
}

function overFile(file: SqliteFile, { path, giveUp }: Kept): SoleConnection {
  const commits = path === undefined ? undefined : createCommits(path)
  const { prepare, run } = createStatements(file, commits)
  return {
    durable: path !== undefined,
    prepare,
    run,
    inTransaction: () => file.inTransaction,
    close: () => {
      try {
        file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        file.close()
        commits?.close()
        giveUp?.()
      }
    },
  }
}
