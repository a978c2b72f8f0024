import { ApiError, NetworkError, TimeoutError } from './errors.ts'

export interface RetryOptions {
  /** Repetitions after the first attempt; 2 by default, 0 switches them off. */
  readonly maxRetries?: number | undefined
  /** Upper bound of the first random delay; 500 ms by default. It doubles with each attempt. */
  readonly baseDelayMs?: number | undefined
  /** Upper bound of every random delay; 8 s by default. */
  readonly maxDelayMs?: number | undefined
  /** A server that asks to wait for longer than this gets no further request; 60 s by default. */
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
 * Whether the failure may pass when the same request is sent again. 429 says that the request was not
 * processed; after anything else a request that is not safe to repeat may have had its effect already.
 */
export function isRetryable(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof ApiError) {
    return failure.status === 429 || (repeatable && transient.includes(failure.status))
  }
  return repeatable && (failure instanceof NetworkError || failure instanceof TimeoutError)
}

/**
 * Milliseconds until the next attempt. Full jitter: a random part of the exponential bound, because clients
 * that failed together must not come back together. `Retry-After` is a floor, never undercut, with up to a
 * tenth on top for the same reason.
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
