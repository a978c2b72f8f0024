/** A longer wait is a server's mistake, and would stop the client for good. */
const maxMs = 86_400_000

/**
 * Milliseconds to wait according to `Retry-After` (RFC 9110 §10.2.3), at most a day. Accepts seconds, also with a fraction,
 * and HTTP dates. If the header was sent twice, the first value counts. A date is compared with the server's `Date` header
 * if there is one, because the two clocks may differ.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  // All date formats of RFC 9110 §5.6.7 start with the day of the week, and two of them have a comma after it.
  const first = /^(\d+(\.\d+)?|[a-z]{3,},? [^,]*:[^,]*)\s*(,|$)/i.exec(headers.get('retry-after') ?? '')?.[1]
  const seconds = Number(first)
  const ms =
    seconds >= 0 ? seconds * 1000 : Date.parse(first ?? '') - (Date.parse(headers.get('date') ?? '') || now)
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxMs)
}
