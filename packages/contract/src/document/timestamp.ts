/** A date with a time, in whatever zone, which is all that the text has. */
const anyZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i

/** `T` and `Z` may be small letters (RFC 3339 §5.6). */
const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/i

/** Whether a text is a timestamp, and not one that only begins with a date or has one in it, as the line of a log has. */
export const isTimestamp = (text: string): boolean => anyZone.test(text)

export const isInUtc = (text: string): boolean => inUtc.test(text)

/**
 * The moment that a timestamp names, however it is spelt, as a text: of two of these, the lesser is the earlier one, to
 * the last digit of their fractions. `undefined` for what names no moment.
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
