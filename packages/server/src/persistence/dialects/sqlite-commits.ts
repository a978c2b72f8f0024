import { closeSync, openSync, readSync } from 'node:fs'

/** Detects commits to a file since the last check. */
export interface Commits {
  /** Returns true unless there was definitely no commit. */
  maybe(): boolean
  /**
   * Closes the file. Call this method only after the database is closed. A process that closes any handle of
   * a file loses all its locks on the file, including SQLite's locks (fcntl(2)).
   */
  close(): void
}

/**
 * The size of a copy. The header contains two copies of the end of the log, and a commit writes both of them
 * (SQLite, "WAL-mode File Format", 2.1).
 */
const copyBytes = 48

/**
 * Reads the header of the write-ahead log's index, which every commit changes. SQLite itself compares this
 * header before it reads from a file. Reading it is five times as fast as running a statement.
 *
 * @param path The database file, which must be in WAL mode.
 */
export function createCommits(path: string): Commits {
  let handle: number | undefined
  let seen = Buffer.alloc(2 * copyBytes)
  let read = Buffer.alloc(2 * copyBytes)
  const isRead = (): boolean => {
    try {
      handle ??= openSync(`${path}-shm`, 'r')
      return readSync(handle, read, 0, read.length, 0) === read.length
    } catch {
      // The file doesn't exist on file systems without shared memory.
      return false
    }
  }
  return {
    maybe: () => {
      // The two copies differ while a commit is writing them.
      if (!isRead() || read.compare(read, copyBytes, undefined, 0, copyBytes) !== 0) return true
      if (read.equals(seen)) return false
      const before = seen
      seen = read
      read = before
      return true
    },
    close: () => {
      if (handle !== undefined) closeSync(handle)
      handle = undefined
    },
  }
}
