import { ApiError, NetworkError, TimeoutError } from './errors.ts'

/** How often and when a call is retried. */
export interface RetryOptions {
  /** The number of retries after the first attempt. 0 disables retries. Default: 2. */
  readonly maxRetries?: number | undefined
  /**
   * The upper limit for the random delay before the first retry. The limit doubles with each attempt. Default: 500 ms.
   */
  readonly baseDelayMs?: number | undefined
  /** The upper limit for all random delays. Default: 8 s. */
  readonly maxDelayMs?: number | undefined
  /**
   * The longest `Retry-After` that the client waits for. If the server requests a longer wait, the call fails. Default:
   * 60 s.
   */
  readonly maxRetryAfterMs?: number | undefined
}

export type RetryPolicy = Record<keyof RetryOptions, number>

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 2,
  baseDelayMs: 500,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
}

const transient: readonly number[] = [408, 500, 502, 503, 504]

/**
 * Returns whether a retry is safe and may succeed. A 429 means that the request wasn't processed. After any other
 * failure, the server may have already processed the request.
 */
export function isRetryable(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof ApiError) {
    return failure.status === 429 || (repeatable && transient.includes(failure.status))
  }
  return repeatable && (failure instanceof NetworkError || failure instanceof TimeoutError)
}

/**
 * Returns the number of milliseconds until the next attempt. With full jitter, the delay is a random fraction of an
 * exponentially growing limit. Jitter prevents clients that fail at the same time from retrying at the same time. If
 * the server sent `Retry-After`, the delay is at least that long, plus up to a tenth of it.
 */
export function retryDelay(
  attempts: number,
  retryAfterMs: number,
  policy: RetryPolicy,
  random: () => number,
): number {
  const backoff = random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempts - 1))
  return Math.max(backoff, retryAfterMs * (1 + random() / 10))
}
