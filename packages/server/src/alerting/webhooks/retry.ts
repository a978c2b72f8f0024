const second = 1000
const minute = 60 * second
const hour = 60 * minute

/**
 * The delays between attempts, in the schedule that Standard Webhooks recommends ("Deliverability and reliability").
 */
export const retryWaits: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const longestWait = 24 * hour

/** Maps a receiver's status code to the outcome of the attempt. */
export function outcomeOf(status: number): 'delivered' | 'retry' | 'failed' {
  if (status >= 200 && status < 300) return 'delivered'
  // Standard Webhooks uses 410 to indicate that the receiver no longer exists.
  return status === 410 ? 'failed' : 'retry'
}

/**
 * Returns the number of milliseconds until the next attempt, or undefined after the last attempt. A receiver's
 * `Retry-After` header (RFC 9110 §10.2.3) can make the delay longer, but not shorter.
 */
export function waitAfter(attempts: number, retryAfter: string | undefined): number | undefined {
  const planned = retryWaits[attempts - 1]
  if (planned === undefined) return undefined
  const requested = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * second : 0
  return Math.min(longestWait, Math.max(planned, requested))
}
