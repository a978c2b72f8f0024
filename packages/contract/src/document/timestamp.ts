/** Matches strings that consist of only a date and a time, in any time zone. */
const anyZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i

/** Matches RFC 3339 timestamps in UTC. According to §5.6, `T` and `Z` can be lowercase. */
const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/i

/** Returns whether the entire string is a timestamp. A longer string that contains a timestamp doesn't match. */
export const isTimestamp = (text: string): boolean => anyZone.test(text)

export const isInUtc = (text: string): boolean => inUtc.test(text)

/**
 * Converts a timestamp to a string that sorts chronologically and keeps all fractional digits. Returns `undefined` if
 * the input isn't a timestamp.
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
