const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delays between attempts, as recommended by Standard Webhooks ("Deliverability and reliability"). */
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
  // In Standard Webhooks, 410 means that the receiver no longer exists.
  return status === 410 ? 'failed' : 'retry'
}

/**
 * Returns the number of milliseconds until the next attempt, or undefined after the last attempt. A receiver's
 * `Retry-After` header (RFC 9110 §10.2.3) can lengthen the delay, but not shorten it.
 */
export function waitAfter(attempts: number, retryAfter: string | undefined): number | undefined {
  const planned = retryWaits[attempts - 1]
  if (planned === undefined) return undefined
  const requested = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * second : 0
  return Math.min(longestWait, Math.max(planned, requested))
}
