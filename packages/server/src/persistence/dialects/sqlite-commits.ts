import { closeSync, openSync, readSync } from 'node:fs'

/** Detects commits to a file since the last check. */
export interface Commits {
  /** False only if there was certainly no commit. */
  maybe(): boolean
  /**
   * Call it only after closing the database. Closing any handle of a file drops all locks of the process on it
   * (fcntl(2)), including SQLite's own.
   */
  close(): void
}

/** Two copies of the header with the end of the log. A commit writes both (SQLite, "WAL-mode File Format", 2.1). */
const copyBytes = 48

/**
 * Reads the header of the write-ahead log's index, which every commit changes. SQLite compares the same header
 * before it reads a file. Reading it takes a fifth of the time of a statement.
 *
 * @param path the database file, in WAL mode.
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
      // File systems without shared memory have no such file.
      return false
    }
  }
  return {
    maybe: () => {
      // The copies differ while a commit writes them.
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
