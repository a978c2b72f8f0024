import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Stores the results of a long run, so that an interrupted run can be resumed. */
export interface Notes<T> {
  /** The results of the earlier run that this run resumes. Empty if this run doesn't resume another run. */
  readonly earlier: readonly T[]
  note(entry: T): void
}

const entryOf = <T>(line: string): T[] => {
  try {
    const entry: T = JSON.parse(line)
    return [entry]
  } catch {
    // The last line is incomplete if the earlier run was interrupted while writing it.
    return []
  }
}

/**
 * Opens a file that contains one result per line.
 *
 * @param file The path of the file. If omitted, results aren't stored.
 * @param resume Whether to keep the results that are already in the file.
 */
export const openNotes = <T>(file: string | undefined, resume = false): Notes<T> => {
  if (file === undefined) return { earlier: [], note: () => {} }
  const text = resume && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const earlier = text.split('\n').flatMap((line) => entryOf<T>(line))
  // Rewrite the file, because a new line can't be appended to an incomplete last line.
  writeFileSync(file, earlier.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { earlier, note: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`) }
}

/** Parses a string such as `2/4` into a zero-based index and the total number of shards. */
export const shardOf = (text: string): { index: number; of: number } => {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index) - 1, of: Number(of) }
  if (!(shard.index >= 0 && shard.index < shard.of))
    throw new TypeError(`${text} is not a fraction such as 1/4`)
  return shard
}

/** Formats the time that has passed since `began` as hours, minutes and seconds. */
export const elapsed = (began: number): string => {
  const seconds = Math.round((performance.now() - began) / 1000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
