import type { SqlValue } from './dialect.ts'

type Values = readonly SqlValue[]

/** What was read of a file, kept until something that it was read from changes. */
export interface Kept {
  /** A reading of a table that is done once for the same values; `sizeOf` tells how many bytes an answer takes. */
  keeping<T>(table: string, sizeOf: (answer: T) => number, read: (values: Values) => T): (values: Values) => T
  /** Lets go of what was read of a table. */
  forgetTable(table: string): void
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
 *   asked before every answer that is kept, so that none is older than its question.
 */
export function createKept(changedElsewhere: () => boolean): Kept {
  const tables = new Map<string, OfTable>()
  const forget = () => {
    for (const table of tables.values()) table.forget()
  }
  const bytes = () => [...tables.values()].reduce((sum, table) => sum + table.bytes, 0)
  return {
    keeping: <T>(name: string, sizeOf: (answer: T) => number, read: (values: Values) => T) => {
      const table = tables.get(name) ?? createOfTable()
      tables.set(name, table)
      const kept = table.add<T>()
      return (values) => {
        if (changedElsewhere()) forget()
        const key = JSON.stringify(values)
        const before = kept.get(key)
        if (before !== undefined) return before
        const answer = read(values)
        const size = key.length + sizeOf(answer) + overhead
        if (bytes() + size > limit) forget()
        table.bytes += size
        kept.set(key, answer)
        return answer
      }
    },
    forgetTable: (name) => tables.get(name)?.forget(),
    forget,
  }
}

/** What is kept of one table. */
interface OfTable {
  bytes: number
  add<T>(): Map<string, T>
  forget(): void
}

function createOfTable(): OfTable {
  const kept: Map<string, unknown>[] = []
  const table: OfTable = {
    bytes: 0,
    add: <T>() => {
      const answers = new Map<string, T>()
      kept.push(answers)
      return answers
    },
    forget: () => {
      for (const answers of kept) answers.clear()
      table.bytes = 0
    },
  }
  return table
}
