import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

/** The results of a long run. They are stored so that an interrupted run can be resumed. */
export interface Notes<T> {
  /** Results from an earlier run. Empty unless this run resumes it. */
  readonly earlier: readonly T[]
  note(entry: T): void
}

const entryOf = <T>(line: string): T[] => {
  try {
    const entry: T = JSON.parse(line)
    return [entry]
  } catch {
    // If the run was interrupted while writing the last line, this line is incomplete.
    return []
  }
}

/**
 * Opens a notes file with one entry per line.
 *
 * @param file The path of the notes file. If omitted, entries aren't stored.
 * @param resume Whether to keep existing entries.
 */
export const openNotes = <T>(file: string | undefined, resume = false): Notes<T> => {
  if (file === undefined) return { earlier: [], note: () => {} }
  const text = resume && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const earlier = text.split('\n').flatMap((line) => entryOf<T>(line))
  // Rewrites the file, so that no entry is appended to an incomplete line.
  writeFileSync(file, earlier.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { earlier, note: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`) }
}

/** Parses a shard such as 2/4 into a zero-based index and the number of shards. */
export const shardOf = (text: string): { index: number; of: number } => {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index) - 1, of: Number(of) }
  if (!(shard.index >= 0 && shard.index < shard.of))
    throw new TypeError(`${text} is not a fraction such as 1/4`)
  return shard
}

/** The time since the run began, as hours, minutes and seconds. */
export const elapsed = (began: number): string => {
  const seconds = Math.round((performance.now() - began) / 1000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
