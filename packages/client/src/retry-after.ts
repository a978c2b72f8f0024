/** What a server asks for beyond this is a mistake, and would stop a client for good. */
const longestMs = 86_400_000

/**
 * Milliseconds that a response asks to wait, a day at most: RFC 9110 §10.2.3, seconds or an HTTP date, and nothing else
 * that a number or a date may be read from. A date is taken against the server's own `Date` where it is sent, because
 * the two clocks may differ.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? ''
  // All forms of RFC 9110 §5.6.7 begin with the day of the week. What cannot be read is not a number.
  const ms = /^[a-z].*:/i.test(value)
    ? Date.parse(value) - (Date.parse(headers.get('date') ?? '') || now)
    : Number(/^\d+$/.exec(value)?.[0]) * 1000
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestMs)
}
