import type { SqlValue } from './dialect.ts'

type Values = readonly SqlValue[]

/** A type of read that is worth caching. */
export interface CachedRead<T> {
  readonly table: string
  readonly read: (values: Values) => T
  /** Returns the size of a response in bytes. */
  readonly sizeOf: (response: T) => number
  /** Returns whether a response remains valid after a row with this creation time is added. */
  readonly remainsValid?: (response: T, createdAt: number, values: Values) => boolean
  /**
   * Whether to cache a result only if the same read is repeated shortly afterward. Caching a row takes a third of the
   * time that reading the row takes. This time is wasted if callers read more rows than fit into the cache.
   */
  readonly onSecondRead?: boolean
}

/** Caches the results of reads from a file until one of the underlying tables changes. */
export interface ReadCache {
  /** Returns a cached version of a read. If a row doesn't exist, the result isn't cached. */
  cached<T>(reading: CachedRead<T>): (values: Values) => T
  /** Evicts the results of reads from a table. If a row was added, keeps results that remain valid. */
  forgetTable(table: string, addedAt?: number): void
  forget(): void
}

/** The maximum total size of all entries in bytes, including their keys. */
const limit = 4 * 1024 * 1024
/** The overhead per entry, in bytes. */
const overhead = 200

/**
 * Creates the read cache, which speeds up counting and paging. Without the cache, counting many rows or concatenating
 * the rows of a large page would be slow.
 *
 * @param changedElsewhere Returns whether another connection has changed the file since the last call. The cache calls
 * this function before it returns a cached result, so results are never outdated.
 */
export function createReadCache(changedElsewhere: () => boolean): ReadCache {
  const tables = new Map<string, TableCache>()
  const forget = () => {
    for (const table of tables.values()) table.forget()
  }
  const usage: Usage = { used: 0 }
  return {
    cached: <T>({ table: name, sizeOf, read, remainsValid: outlasts, onSecondRead }: CachedRead<T>) => {
      const table = tables.get(name) ?? createTableCache(usage)
      tables.set(name, table)
      const entries = table.add<T>(outlasts)
      const readBefore = onSecondRead ? createRecentKeys() : () => true
      return (values) => {
        const key = JSON.stringify(values)
        const before = entries.get(key)
        if (before !== undefined) {
          if (!changedElsewhere()) return before.response
          forget()
        }
        const response = read(values)
        if (response === undefined || !readBefore(key)) return response
        const size = key.length + sizeOf(response) + overhead
        if (usage.used + size > limit) forget()
        usage.used += size
        entries.set(key, { response, size, values })
        return response
      }
    },
    forgetTable: (name, addedAt) => tables.get(name)?.forget(addedAt),
    forget,
  }
}

/** The maximum number of recent keys to store. */
const places = 4096

/**
 * Returns a function that reports whether a key was read recently. The result is approximate, because keys with the
 * same hash are treated as the same key.
 */
function createRecentKeys(): (key: string) => boolean {
  const hashes = new Int32Array(places)
  return (key) => {
    let hash = 1
    for (let at = 0; at < key.length; at += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
    const place = hash & (places - 1)
    const before = hashes[place] === hash
    hashes[place] = hash
    return before
  }
}

interface Entry<T> {
  readonly response: T
  readonly size: number
  readonly values: Values
}

/** The total size of the entries for all tables, in bytes. */
interface Usage {
  used: number
}

/** The cache entries for a table. */
interface TableCache {
  add<T>(outlasts: CachedRead<T>['remainsValid']): Map<string, Entry<T>>
  forget(addedAt?: number): void
}

function createTableCache(usage: Usage): TableCache {
  const forgetting: ((addedAt: number | undefined) => void)[] = []
  const table: TableCache = {
    add: <T>(outlasts: CachedRead<T>['remainsValid']) => {
      const entries = new Map<string, Entry<T>>()
      forgetting.push((addedAt) => {
        for (const [key, { response, size, values }] of entries) {
          if (addedAt !== undefined && outlasts?.(response, addedAt, values)) continue
          entries.delete(key)
          usage.used -= size
        }
      })
      return entries
    },
    forget: (addedAt) => {
      for (const forget of forgetting) forget(addedAt)
    },
  }
  return table
}
