import { problem } from './problem.ts'

/** Earliest time that the clock can be set to. */
export const earliestTime = 0

/** Latest time that the clock can be set to. It leaves one day before the last representable time. */
export const latestClockTime = Date.UTC(9999, 11, 31)

/** Last time with a four-digit year (RFC 3339). Offsets can denote later times. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Adds milliseconds and rounds, because the columns for times are integers. */
export const timeAfter = (at: number, milliseconds: number): number => Math.round(at + milliseconds)

/** Formats a time as ISO 8601 in UTC, with fractional seconds only if they are not zero. */
export function timestamp(at: number): string {
  if (at !== written.at) written = { at, text: textOf(at) }
  return written.text
}

function textOf(at: number): string {
  const text = new Date(at).toISOString()
  return text.endsWith(whole) ? `${text.slice(0, -whole.length)}Z` : text
}

const whole = '.000Z'

/** The last formatted time. Responses often repeat the same timestamp. */
let written = { at: Number.NaN, text: '' }

/**
 * Parses a `date-time`. Leap seconds are read as second 59, and times after the year 9999 as its last second.
 *
 * @throws {Problem} `VALIDATION_ERROR` naming the field.
 */
export function parseTimestamp(text: string, pointer: string): number {
  const at = Date.parse(text.replace(/:60(?=[.Zz+-])/, ':59'))
  if (!Number.isNaN(at)) return Math.min(at, latestTime)
  throw problem('VALIDATION_ERROR', {
    detail: `\`${pointer.slice(1)}\` must be an ISO 8601 timestamp.`,
    parameters: [pointer],
  })
}
