/**
 * Milliseconds that a response asks to wait: RFC 9110 §10.2.3, seconds or an HTTP date. A date is taken
 * against the server's own `Date` where it is sent, because the two clocks may differ.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  // What cannot be read is not a number, and that is no truth.
  const serverNow = Date.parse(headers.get('date') ?? '') || now
  return Number.isNaN(at) ? undefined : Math.max(0, at - serverNow)
}
