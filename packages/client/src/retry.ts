import type { Clock } from './clock.ts'
import { sleep } from './deadline.ts'
import { ApiError, ClientError, TimeoutError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import type { Pause } from './pause.ts'
import type { RetryBudget } from './retry-budget.ts'
import { isRetryable, type RetryPolicy, retryDelay } from './retry-policy.ts'
import { createUnsentError } from './status-errors.ts'

/** What all calls of one client share. */
export interface RetryState {
  readonly clock: Clock
  readonly random: () => number
  readonly pause: Pause
  readonly budget: RetryBudget
}

export interface RetryCall {
  readonly context: CallContext
  readonly policy: RetryPolicy
  /** Whether the specification allows to send the request twice; not unless it says so. */
  readonly repeatable?: boolean | undefined
  readonly totalTimeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `attempt` until it succeeds or may not be repeated. `attempt` gets the time that is left for the call
 * and throws what went wrong, error statuses included.
 */
export async function withRetry<T>(
  { context, policy, repeatable, totalTimeoutMs, signal }: RetryCall,
  { clock, random, pause, budget }: RetryState,
  attempt: (timeLeftMs: number) => Promise<T>,
): Promise<T> {
  const deadline = clock.now() + totalTimeoutMs
  const left = (): number => deadline - clock.now()
  budget.earn()
  for (;;) {
    const paused = pause.remaining()
    if (paused > 0) {
      // Longer than this call can wait: it says so at once, also where the pause became so while it waited.
      if (paused > policy.maxRetryAfterMs || paused >= left()) throw createUnsentError(context, paused)
      await pause.wait(signal)
      continue
    }
    const leftMs = left()
    if (leftMs <= 0) throw new TimeoutError(context, totalTimeoutMs)
    context.attempts++
    try {
      return await attempt(leftMs)
    } catch (failure) {
      // Other statuses do not say when it will be better: RFC 9110 §10.2.3, RFC 6585 §4.
      const asks = failure instanceof ApiError && [429, 503].includes(failure.status)
      const retryAfterMs = (asks && failure.retryAfterMs) || 0
      // A failed token request: the call itself was not sent, and it is not the API that asks to wait.
      const foreign = failure instanceof ClientError && failure.operationId !== context.operationId
      if (!foreign) pause.extend(retryAfterMs)
      const delay = retryDelay(context.attempts, retryAfterMs, policy, random)
      if (
        context.attempts > policy.maxRetries ||
        !isRetryable(failure, repeatable || foreign) ||
        retryAfterMs > policy.maxRetryAfterMs ||
        // Waiting past the end of the call would only replace this failure by a time-out that says less.
        delay >= left() ||
        !(foreign || budget.spend())
      )
        throw failure
      await sleep(delay, clock, signal)
    }
  }
}
