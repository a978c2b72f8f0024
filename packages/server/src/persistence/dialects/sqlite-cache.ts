import type { SqlValue } from './dialect.ts'

type Values = readonly SqlValue[]

/** A reading of a table, worth to be kept. */
export interface CachedRead<T> {
  readonly table: string
  readonly read: (values: Values) => T
  /** How many bytes an answer takes. */
  readonly sizeOf: (response: T) => number
  /** Whether an answer is still right once a row was added that was created at a moment. */
  readonly remainsValid?: (response: T, createdAt: number, values: Values) => boolean
  /**
   * Kept only once it was asked for twice, and not too much else in between. To keep an answer takes a third of the time
   * of a row's reading, which whoever goes through more rows than there is room for would pay for nothing.
   */
  readonly onSecondRead?: boolean
}

/** What was read of a file, kept until something that it was read from changes. */
export interface ReadCache {
  /** The reading, done once for the same values. What was not there is not kept. */
  cached<T>(reading: CachedRead<T>): (values: Values) => T
  /** Lets go of what was read of a table, but for what outlasts a row that was only added. */
  forgetTable(table: string, addedAt?: number): void
  forget(): void
}

/** Bytes of everything that is kept, keys included. */
const limit = 4 * 1024 * 1024
/** What an entry takes besides. */
const overhead = 200

/**
 * Keeps answers: to count takes as long as there is something to count, and to join a page as long as there is
 * something to join.
 *
 * @param changedElsewhere asks SQLite whether another connection has changed the file since it was asked last. It is
 *   asked before every answer that was kept, so that none is older than its question.
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

/** How many keys are remembered as asked for, at most. */
const places = 4096

/** Tells whether a key was asked for lately: roughly, since a key whose hash is another's passes for it. */
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

/** Bytes that all tables take together. */
interface Usage {
  used: number
}

/** What is kept of one table. */
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
