/** A date and time in any zone, with nothing before or after it. */
const anyZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i

/** `T` and `Z` may be lower case (RFC 3339 §5.6). */
const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/i

/** Whether a whole text is a timestamp, not only part of it, as in a log line. */
export const isTimestamp = (text: string): boolean => anyZone.test(text)

export const isInUtc = (text: string): boolean => inUtc.test(text)

/**
 * The time of a timestamp, as a text that sorts in chronological order, with all digits of the fraction. `undefined`
 * if it isn't a timestamp.
 */
export const parseTimestamp = (text: string | undefined): string | undefined => {
  const parts = /^(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i.exec(text ?? '')
  if (parts === null) return undefined
  const [, seconds = '', fraction = '', zone = ''] = parts
  const at = Date.parse((seconds + zone).toUpperCase())
  return Number.isNaN(at)
    ? undefined
    : `${new Date(at).toISOString().slice(0, 19)}.${fraction.replace(/0+$/, '')}`
}
