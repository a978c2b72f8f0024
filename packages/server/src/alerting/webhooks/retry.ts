const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The waits of Standard Webhooks ("Deliverability and reliability") after each attempt that failed. */
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

/** What a receiver's status comes to. */
export function outcomeOf(status: number): 'delivered' | 'retry' | 'over' {
  if (status >= 200 && status < 300) return 'delivered'
  // Standard Webhooks: 410 says that nothing shall come here any more.
  return status === 410 ? 'over' : 'retry'
}

/**
 * Milliseconds until the next attempt after so many, or undefined if that was the last. A receiver may ask for more
 * time (`Retry-After`, RFC 9110 §10.2.3), not for less.
 */
export function waitAfter(attempts: number, retryAfter: string | undefined): number | undefined {
  const planned = retryWaits[attempts - 1]
  if (planned === undefined) return undefined
  const asked = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * second : 0
  return Math.min(longestWait, Math.max(planned, asked))
}
