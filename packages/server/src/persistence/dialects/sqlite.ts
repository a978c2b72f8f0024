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
 * Creates a dialect that uses SQLite in a file or in memory, with the best driver that is available for this version of
 * Node.
 *
 * The server has a single connection, and no other server can use the file. A second server would invalidate the first
 * server's cache (`shared: false`), so it fails to start.
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
 * Creates a dialect for a temporary file that only this process uses. Commits don't wait for the disk. Except on
 * Windows, the file is unlinked immediately after it is opened, so no file is left behind even if the process is
 * killed.
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
    // Windows doesn't allow deleting a file that is open.
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
  // SQLite would also open a read-only file, but then fail on the first change.
  if (existsSync(path)) accessSync(path, constants.W_OK)
  else makePrivately(path)
  // With WAL and FULL, commits survive both a killed process and a power failure.
  return openWith(path, ['journal_mode=WAL', 'synchronous=FULL'], { claimed: true })
}

/**
 * Creates a file that only its owner can read, regardless of the umask. If attackers could read an API key's stored hash,
 * they could sign in with it (RFC 7616 §5.2). SQLite creates its additional files with the same mode.
 */
function makePrivately(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch {
    // If the file can't be created, SQLite reports the error later.
  }
}

interface OpenOptions {
  /** Whether to reject a file that this server didn't create. */
  readonly claimed?: boolean
  /** Called if the file can't be used. */
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

/** Adds the file's name to the message, because the original message only describes the I/O error. */
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
 * Locks a file for this process. The operating system releases the lock when the process ends. A separate lock file is
 * used, so that other programs can still read the database. All paths to a file share the same lock, except for hard
 * links in different folders.
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
    throw new Error(`The database file ${path} is in use by a different server`, { cause: error })
  }
}

/**
 * Creates a folder and its parent folders. Node's recursive `mkdir` doesn't terminate if the system reports an existing
 * parent as missing, which happens for `/proc`.
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

/**
 * Returns a file's real path, even if the file doesn't exist yet. Symbolic links are resolved, because SQLite follows
 * them too.
 */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path)
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink()) return realPath(resolve(dirname(path), readlinkSync(path)))
  return join(realpathSync.native(dirname(path)), basename(path))
}

interface Kept {
  /** The file's path. Only set if commits wait for the disk and other processes can open the file. */
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
