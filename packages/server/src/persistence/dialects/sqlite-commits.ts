import { closeSync, openSync, readSync } from 'node:fs'

/** Tells whether anybody has committed a change to a file since it was asked last. */
export interface Commits {
  /** False only if nobody has. */
  maybe(): boolean
  /**
   * Only after the database was closed: to close any handle of a file drops all locks that the process holds on it
   * (fcntl(2)), SQLite's own among them.
   */
  close(): void
}

/** Two copies of what says where the log ends: a commit writes both (SQLite, "WAL-mode File Format", 2.1). */
const copyBytes = 48

/**
 * Looks at the index of the write-ahead log, whose header every commit changes: it is what SQLite itself compares before it
 * looks at a file. To read it takes a fifth of the time that a statement takes.
 *
 * @param path the file of the database, in WAL mode.
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
      // A file system without shared memory has no such file.
      return false
    }
  }
  return {
    maybe: () => {
      // While a commit writes it, the copies differ.
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
