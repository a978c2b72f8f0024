import { problem } from './problem.ts'

export const earliestTime = 0

/** The latest time that the clock can show, one day before the latest possible timestamp. */
export const latestClockTime = Date.UTC(9999, 11, 31)

/**
 * The last second of the year 9999, because years have four digits in RFC 3339. Timestamps with a UTC offset can
 * represent later times.
 */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Adds milliseconds and rounds the result, because time columns contain integers. */
export const timeAfter = (at: number, milliseconds: number): number => Math.round(at + milliseconds)

/** Formats a time as ISO 8601 in UTC, and omits the fraction if it is zero. */
export function timestamp(at: number): string {
  if (at !== written.at) written = { at, text: textOf(at) }
  return written.text
}

function textOf(at: number): string {
  const text = new Date(at).toISOString()
  return text.endsWith(whole) ? `${text.slice(0, -whole.length)}Z` : text
}

const whole = '.000Z'

/** The most recently formatted time. It is cached because responses often contain the same timestamp several times. */
let written = { at: Number.NaN, text: '' }

/**
 * Parses a `date-time`. A leap second is treated as second 59. A time after the year 9999 is replaced with the last
 * second of that year.
 *
 * @throws {Problem} `VALIDATION_ERROR` with the field's name.
 */
export function parseTimestamp(text: string, pointer: string): number {
  const at = Date.parse(text.replace(/:60(?=[.Zz+-])/, ':59'))
  if (!Number.isNaN(at)) return Math.min(at, latestTime)
  throw problem('VALIDATION_ERROR', {
    detail: `\`${pointer.slice(1)}\` must be an ISO 8601 timestamp.`,
    parameters: [pointer],
  })
}
