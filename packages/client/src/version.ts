import type { OperationRow } from './operation-row.ts'

/** The generation's path prefix, and the version's media type. */
export type VersionRow = readonly [prefix: string, mediaType: string]

/** The versions of one operation, or of all operations. */
type Versioned = Pick<OperationRow, 'id' | 'versions'>

/**
 * Returns the version of an operation for a client pinned to `pin`, which is the operation's newest version that isn't
 * later than `pin`. A name that isn't a date, such as `v1.0`, matches only itself. Returns `undefined` if the operation
 * doesn't exist in that version.
 */
export function findVersion({ versions: owned }: Versioned, pin: string): string | undefined {
  // Dates can be compared as strings, and they sort before names that start with a letter.
  return owned.findLast((version) => version === pin || (version < pin && isDate(pin)))
}

/**
 * The most recent valid date. The date is cached because parsing is slow, and almost all calls in a program use the
 * same date.
 */
let lastDate: string | undefined

/**
 * Returns whether the text is a calendar date, such as `2024-02-29`. For dates that don't exist, such as February 30,
 * `Date` returns a different day or fails.
 */
function isDate(text: string): boolean {
  if (text !== lastDate && new Date(text).toJSON()?.slice(0, 10) === text) lastDate = text
  return text === lastDate
}

/** @throws TypeError if the operation doesn't exist in the version. */
export function resolveVersion(row: Versioned, pin: string): string {
  const version = findVersion(row, pin)
  if (version) return version
  throw new TypeError(
    `${row.id} does not exist in version ${pin}: expected ${row.versions.join(', ')} or later`,
  )
}
