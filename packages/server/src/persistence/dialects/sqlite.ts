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
import { driver, MissingDriverError } from './sqlite-drivers.ts'
import { classify, isBusy, isDamaged, isNoDatabase } from './sqlite-failures.ts'
import { claim, createFileCheck, ForeignFileError } from './sqlite-identity.ts'
import { createStatements } from './sqlite-statements.ts'

/**
 * Creates a dialect that uses SQLite in a file or in memory, with the best available driver for this Node version.
 *
 * The server has a single connection, and no other server can use the file. A second server can't start, because it
 * would invalidate the first server's cache (`shared: false`).
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
 * Creates a dialect for a temporary file that is used only by this process. Commits don't wait for the disk. Except on
 * Windows, the file is unlinked as soon as it is open, so the file disappears even if the process is killed.
 */
export function scratchDialect(path: string): DatabaseDialect {
  return { ...sqliteDialect(path), open: async () => openScratch(path) }
}

function openScratch(path: string): SoleConnection {
  const giveUp = () => rmSync(path, { force: true })
  const file = openWith(path, ['journal_mode=MEMORY', 'synchronous=OFF', 'temp_store=MEMORY'], {
    failed: giveUp,
  })
  try {
    unlinkSync(path)
  } catch {
    // Windows doesn't allow open files to be deleted.
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
    throw unusable(path, error)
  }
}

function openDurably(path: string): SqliteFile {
  // SQLite would open a read-only file without an error, but the first change would fail.
  if (existsSync(path)) accessSync(path, constants.W_OK)
  else makePrivately(path)
  // In WAL mode with synchronous=FULL, commits survive killed processes and power failures.
  return openWith(path, ['journal_mode=WAL', 'synchronous=FULL'], { claimed: true })
}

/**
 * Creates a file that only its owner can read, regardless of the umask. Anyone who can read the stored hash of an API
 * key can sign in with it (RFC 7616 §5.2). SQLite uses the same mode for its additional files.
 */
function makePrivately(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // If the file can't be created, SQLite reports an error later.
  }
}

interface OpenOptions {
  /** Whether to reject a file that this server didn't create. */
  readonly claimed?: boolean
  /** Called if the file is unusable. */
  readonly failed?: () => void
}

function openWith(
  path: string,
  pragmas: readonly string[],
  { claimed, failed }: OpenOptions = {},
): SqliteFile {
  let file: SqliteFile | undefined
  try {
    file = driver.open(path)
    if (claimed) claim(file, path)
    for (const pragma of [...pragmas, 'cache_size=-16384']) file.exec(`PRAGMA ${pragma}`)
    return file
  } catch (error) {
    file?.close()
    failed?.()
    throw error
  }
}

/** Adds the file's name to the message, because SQLite's message only describes the I/O error. */
function unusable(path: string, error: unknown): unknown {
  if (error instanceof MissingDriverError || error instanceof ForeignFileError) return error
  const why = error instanceof Error ? error.message : String(error)
  if (isNoDatabase(error)) {
    return new Error(`${path} is not an SQLite database. Choose a different file (${why})`, { cause: error })
  }
  if (isDamaged(error)) {
    return new Error(`The database file ${path} is damaged. Restore a backup (${why})`, { cause: error })
  }
  return new UnavailableError(`The database file ${path} cannot be written: ${why}`, { cause: error })
}

/**
 * Locks a file for this process. The operating system releases the lock when the process ends. The lock is on a
 * separate file, so that other programs can still read the database. All paths to a file share the same lock, except
 * for hard links in different folders.
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
    if (!isBusy(error)) throw unusable(path, error)
    throw new Error(`The database file ${path} is in use by another server`, { cause: error })
  }
}

/**
 * Creates a folder and its parent folders. If the system reports an existing parent as missing, such as for `/proc`,
 * Node's recursive `mkdir` never terminates.
 */
function makeFolder(path: string): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (isFolder()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isFolder()) throw error
  }
}

/** Returns the real path of a file, even if the file doesn't exist yet. Like SQLite, resolves symbolic links. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path)
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink()) return realPath(resolve(dirname(path), readlinkSync(path)))
  return join(realpathSync.native(dirname(path)), basename(path))
}

interface Kept {
  /** The file's path. This field is set only if commits wait for the disk and other processes can open the file. */
  readonly path?: string
  /** Called when the file is closed. */
  readonly giveUp?: () => void
}

function overFile(file: SqliteFile, { path, giveUp }: Kept): SoleConnection {
  const commits = path === undefined ? undefined : createCommits(path)
  const { prepare, run } = createStatements(file, commits)
  const requireFile = path === undefined ? () => {} : createFileCheck(path)
  return {
    durable: path !== undefined,
    prepare,
    run,
    inTransaction: () => file.inTransaction,
    requireFile,
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
