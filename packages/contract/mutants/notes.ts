import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What a run of hours found so far, so that one that was ended can go on where it was. */
export interface Notes<T> {
  /** What an earlier run noted; nothing unless it is resumed. */
  readonly earlier: readonly T[]
  note(entry: T): void
}

const entryOf = <T>(line: string): T[] => {
  try {
    const entry: T = JSON.parse(line)
    return [entry]
  } catch {
    // The last line is cut when the run was ended while it wrote.
    return []
  }
}

/**
 * Opens notes, one entry a line.
 *
 * @param file where they are kept; without one, they are not.
 * @param resume whether what stands there is kept.
 */
export const openNotes = <T>(file: string | undefined, resume = false): Notes<T> => {
  if (file === undefined) return { earlier: [], note: () => {} }
  const text = resume && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const earlier = text.split('\n').flatMap((line) => entryOf<T>(line))
  // Written anew, so that nothing is appended to a line that was cut.
  writeFileSync(file, earlier.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { earlier, note: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`) }
}

/** A part such as 2/4, as its index from 0 and their number. */
export const shardOf = (text: string): { index: number; of: number } => {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index) - 1, of: Number(of) }
  if (!(shard.index >= 0 && shard.index < shard.of)) throw new TypeError(`${text} is no part such as 1/4`)
  return shard
}

/** How long a run has gone on, as a clock shows it. */
export const elapsed = (began: number): string => {
  const seconds = Math.round((performance.now() - began) / 1000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
