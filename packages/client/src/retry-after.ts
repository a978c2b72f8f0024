/** A longer wait is a server's mistake, and would stop the client for good. */
const maxMs = 86_400_000

/**
 * Milliseconds to wait according to `Retry-After` (RFC 9110 §10.2.3), at most a day. Accepts seconds, also with a fraction,
 * and HTTP dates. If the header was sent twice, the first value counts. A date is compared with the server's `Date` header
 * if there is one, because the two clocks may differ.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? ''
  // All date formats of RFC 9110 §5.6.7 start with the day of the week, and two of them have a comma after it.
  const date = /^[a-z]{3,},? [^,]*:[^,]*/i.exec(value)?.[0]
  const ms = date
    ? Date.parse(date) - (Date.parse(headers.get('date') ?? '') || now)
    : Number(/^\d+(?:\.\d+)?(?=\s*(?:,|$))/.exec(value)?.[0]) * 1000
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxMs)
}
