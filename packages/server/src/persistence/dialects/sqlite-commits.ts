import { closeSync, openSync, readSync } from 'node:fs'

/** Detects whether there have been commits to a file since the last check. */
export interface Commits {
  /** Returns false only if there was definitely no commit. */
  maybe(): boolean
  /**
   * Call this only after the database has been closed. If a process closes any handle of a file, it loses all of its
   * locks on the file (fcntl(2)), including SQLite's.
   */
  close(): void
}

/**
 * The header contains two copies of the end of the log, and a commit writes both (SQLite, "WAL-mode File Format", 2.1).
 */
const copyBytes = 48

/**
 * Reads the header of the write-ahead log index. Every commit changes this header, and SQLite itself compares it before
 * it reads from a file. Reading the header takes a fifth as long as a statement.
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
      // On file systems without shared memory, this file doesn't exist.
      return false
    }
  }
  return {
    maybe: () => {
      // The copies differ while a commit is writing them.
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
