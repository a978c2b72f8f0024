import { problem } from './problem.ts'

/** Where a clock that is set begins. */
export const earliestTime = 0

/** Where a clock ends: what is due within the day can still be written. */
export const latestClockTime = Date.UTC(9999, 11, 31)

/** The last moment that four digits of a year can write (RFC 3339); an offset may ask for a later one. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59)

/** The moment so many milliseconds after another. Moments are whole: a column that holds one takes no fraction. */
export const timeAfter = (at: number, milliseconds: number): number => Math.round(at + milliseconds)

/** A moment as the API writes it: ISO 8601 in UTC, without fractions of a second where there are none. */
export function timestamp(at: number): string {
  if (at !== written.at) written = { at, text: textOf(at) }
  return written.text
}

function textOf(at: number): string {
  const text = new Date(at).toISOString()
  return text.endsWith(whole) ? `${text.slice(0, -whole.length)}Z` : text
}

const whole = '.000Z'

/** What was written last: a resource has its moment in several members, and several have one in a millisecond. */
let written = { at: Number.NaN, text: '' }

/**
 * Reads a moment that fits the schema's `date-time`, which allows a leap second that no clock here has. One beyond the
 * year 9999 is the last of that year.
 *
 * @throws {Problem} `VALIDATION_ERROR` naming the member.
 */
export function parseTimestamp(text: string, pointer: string): number {
  const at = Date.parse(text.replace(/:60(?=[.Zz+-])/, ':59'))
  if (!Number.isNaN(at)) return Math.min(at, latestTime)
  throw problem('VALIDATION_ERROR', {
    detail: `\`${pointer.slice(1)}\` must be an ISO 8601 timestamp.`,
    parameters: [pointer],
  })
}
