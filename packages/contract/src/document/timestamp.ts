/** Matches a text that consists only of a date and time, in any time zone. */
const anyZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/i

/** RFC 3339 §5.6 allows a lowercase `T` and `Z`. */
const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/i

/** Whether the whole text is a timestamp. A longer text that contains a timestamp doesn't count. */
export const isTimestamp = (text: string): boolean => anyZone.test(text)

export const isInUtc = (text: string): boolean => inUtc.test(text)

/**
 * A timestamp as a text that sorts chronologically and keeps all fractional digits. `undefined` if the text isn't a
 * timestamp.
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
