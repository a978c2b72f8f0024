import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Results of a long run, so that an interrupted run can resume. */
export interface Notes<T> {
  /** Results of an earlier run; empty unless resumed. */
  readonly earlier: readonly T[]
  note(entry: T): void
}

const entryOf = <T>(line: string): T[] => {
  try {
    const entry: T = JSON.parse(line)
    return [entry]
  } catch {
    // The last line is truncated if the run ended while writing it.
    return []
  }
}

/**
 * Opens notes with one entry per line.
 *
 * @param file where they are stored; without a file, they are not stored.
 * @param resume whether existing entries are retained.
 */
export const openNotes = <T>(file: string | undefined, resume = false): Notes<T> => {
  if (file === undefined) return { earlier: [], note: () => {} }
  const text = resume && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const earlier = text.split('\n').flatMap((line) => entryOf<T>(line))
  // Rewritten, so that no entry is appended to a truncated line.
  writeFileSync(file, earlier.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { earlier, note: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`) }
}

/** A part such as 2/4, as a zero-based index and the number of parts. */
export const shardOf = (text: string): { index: number; of: number } => {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index) - 1, of: Number(of) }
  if (!(shard.index >= 0 && shard.index < shard.of)) throw new TypeError(`${text} is no part such as 1/4`)
  return shard
}

/** The elapsed time of a run, in the format of a clock. */
export const elapsed = (began: number): string => {
  const seconds = Math.round((performance.now() - began) / 1000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
