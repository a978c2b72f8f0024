/** Patterns for names and texts that several rules use. */

export const camelCase = /^[a-z][a-zA-Z0-9]*$/
export const pascalCase = /^[A-Z][a-zA-Z0-9]*$/

/**
 * Returns whether a text is a valid calendar date. `Date.parse` accepts 2024-02-31 and converts it to a date in March.
 */
export function isCalendarDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the date in a media type. Returns `undefined` if the media type has no date. */
export function dateOfMediaType(mediaType: string): string | undefined {
  return /^application\/vnd\.svc\.([^+]+)\+json$/.exec(mediaType)?.[1]
}
