import type { SqlValue } from './dialect.ts'

type Values = readonly SqlValue[]

/** A reading of a table, worth to be kept. */
export interface Reading<T> {
  readonly table: string
  readonly read: (values: Values) => T
  /** How many bytes an answer takes. */
  readonly sizeOf: (response: T) => number
  /** Whether an answer is still right once a row was added that was created at a moment. */
  readonly outlasts?: (response: T, createdAt: number, values: Values) => boolean
  /**
   * Kept only once it was asked for twice, and not too much else in between. To keep an answer takes a third of the time
   * of a row's reading, which whoever goes through more rows than there is room for would pay for nothing.
   */
  readonly ifAskedTwice?: boolean
}

/** What was read of a file, kept until something that it was read from changes. */
export interface Kept {
  /** The reading, done once for the same values. What was not there is not kept. */
  keeping<T>(reading: Reading<T>): (values: Values) => T
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
export function createKept(changedElsewhere: () => boolean): Kept {
  const tables = new Map<string, OfTable>()
  const forget = () => {
    for (const table of tables.values()) table.forget()
  }
  const room: Room = { taken: 0 }
  return {
    keeping: <T>({ table: name, sizeOf, read, outlasts, ifAskedTwice }: Reading<T>) => {
      const table = tables.get(name) ?? createOfTable(room)
      tables.set(name, table)
      const kept = table.add<T>(outlasts)
      const askedBefore = ifAskedTwice ? createLately() : () => true
      return (values) => {
        const key = JSON.stringify(values)
        const before = kept.get(key)
        if (before !== undefined) {
          if (!changedElsewhere()) return before.response
          forget()
        }
        const response = read(values)
        if (response === undefined || !askedBefore(key)) return response
        const size = key.length + sizeOf(response) + overhead
        if (room.taken + size > limit) forget()
        room.taken += size
        kept.set(key, { response, size, values })
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
function createLately(): (key: string) => boolean {
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
interface Room {
  taken: number
}

/** What is kept of one table. */
interface OfTable {
  add<T>(outlasts: Reading<T>['outlasts']): Map<string, Entry<T>>
  forget(addedAt?: number): void
}

function createOfTable(room: Room): OfTable {
  const forgetting: ((addedAt: number | undefined) => void)[] = []
  const table: OfTable = {
    add: <T>(outlasts: Reading<T>['outlasts']) => {
      const entries = new Map<string, Entry<T>>()
      forgetting.push((addedAt) => {
        for (const [key, { response, size, values }] of entries) {
          if (addedAt !== undefined && outlasts?.(response, addedAt, values)) continue
          entries.delete(key)
          room.taken -= size
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
