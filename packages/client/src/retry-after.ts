/**
 * One day. A server that requests a longer wait is probably misconfigured, and the client would effectively never
 * resume.
 */
const maxMs = 86_400_000

/**
 * Returns the number of milliseconds to wait according to `Retry-After` (RFC 9110 §10.2.3), at most one day. Accepts
 * seconds, including fractions, and HTTP dates. If the server sent the header twice, the first value is used. Dates are
 * compared with the server's `Date` header, if present, because the client's clock may differ.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  // All date formats in RFC 9110 §5.6.7 start with the day of the week. In two formats, a comma follows the day.
  const first = /^(\d+(\.\d+)?|[a-z]{3,},? [^,]*:[^,]*)\s*(,|$)/i.exec(headers.get('retry-after') ?? '')?.[1]
  const seconds = Number(first)
  const ms =
    seconds >= 0 ? seconds * 1000 : Date.parse(first ?? '') - (Date.parse(headers.get('date') ?? '') || now)
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxMs)
}
