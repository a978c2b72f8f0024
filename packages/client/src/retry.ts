import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'
import { ApiError, ClientError, TimeoutError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import type { Pause } from './pause.ts'
import type { RetryBudget } from './retry-budget.ts'
import { isRetryable, type RetryPolicy, retryDelay } from './retry-policy.ts'
import { createApiError } from './status-errors.ts'

/** State that is shared by all of a client's calls. */
export interface RetryState {
  readonly clock: Clock
  readonly random: () => number
  readonly pause: Pause
  readonly budget: RetryBudget
}

export interface RetryCall {
  readonly context: CallContext
  readonly policy: RetryPolicy
  /** Whether it is safe to send the request twice. Default: false. */
  readonly repeatable?: boolean | undefined
  readonly totalTimeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `attempt` until it succeeds or must not be retried. `attempt` receives the call's remaining time, and throws
 * on every failure, including error statuses.
 */
export async function withRetry<T>(
  { context, policy, repeatable, totalTimeoutMs, signal }: RetryCall,
  { clock, random, pause, budget }: RetryState,
  attempt: (timeLeftMs: number) => Promise<T>,
): Promise<T> {
  const started = clock.now()
  const deadline = started + totalTimeoutMs
  budget.earn()
  for (let now = started; ; now = clock.now()) {
    const paused = pause.remaining(now)
    const leftMs = deadline - now
    if (paused > 0) {
      // If the pause is longer than the call can wait, the call fails immediately.
      // The loop checks again because another call may have extended the pause in the meantime.
      if (paused > policy.maxRetryAfterMs || paused >= leftMs) {
        const detail = `not sent, retry in ${paused} ms`
        throw createApiError(context, { status: 429, detail, retryAfterMs: paused })
      }
      await pause.wait(signal)
      continue
    }
    if (leftMs <= 0) throw new TimeoutError(context, totalTimeoutMs)
    context.attempts++
    try {
      return await attempt(leftMs)
    } catch (failure) {
      // `Retry-After` is defined only for these statuses (RFC 9110 §10.2.3, RFC 6585 §4).
      const hasRetryAfter = failure instanceof ApiError && [429, 503].includes(failure.status)
      const retryAfterMs = (hasRetryAfter && failure.retryAfterMs) || 0
      // If the token request failed, the call itself wasn't sent.
      // In that case, `Retry-After` doesn't come from the API.
      const ofTokenRequest = failure instanceof ClientError && failure.operationId !== context.operationId
      if (!ofTokenRequest) pause.extend(retryAfterMs)
      const delay = retryDelay(context.attempts, retryAfterMs, policy, random)
      if (
        context.attempts > policy.maxRetries ||
        !isRetryable(failure, repeatable || ofTokenRequest) ||
        retryAfterMs > policy.maxRetryAfterMs ||
        // Don't start a delay that ends after the call's timeout. A timeout error would hide the actual failure.
        delay >= deadline - clock.now() ||
        !(ofTokenRequest || budget.spend())
      )
        throw failure
      await sleep(delay, clock, signal)
    }
  }
}
