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
  /** Whether the specification allows to send the request twice. */
  readonly repeatable: boolean
  readonly totalTimeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `attempt` until it succeeds or may not be repeated. `attempt` gets the time that is left for the call
 * and throws what went wrong, error statuses included.
 */
export async function withRetry<T>(
  call: RetryCall,
  state: RetryState,
  attempt: (timeLeftMs: number) => Promise<T>,
): Promise<T> {
  const { context } = call
  const { clock, budget } = state
  const deadline = clock.now() + call.totalTimeoutMs
  budget.earn()
  for (;;) {
    if (state.pause.remaining() > 0) await passPause(call, state, deadline)
    const left = deadline - clock.now()
    if (left <= 0) throw new TimeoutError(context, call.totalTimeoutMs)
    context.attempts += 1
    try {
      return await attempt(left)
    } catch (failure) {
      await waitOrThrow(failure, call, state, deadline)
    }
  }
}

/** Waits for the pause of the host, or says at once that it is longer than this call can wait. */
async function passPause(
  { context, policy, signal }: RetryCall,
  state: RetryState,
  deadline: number,
): Promise<void> {
  const left = state.pause.remaining()
  if (left > policy.maxRetryAfterMs || left >= deadline - state.clock.now()) {
    throw createUnsentError(context, left)
  }
  await state.pause.wait(signal)
}

async function waitOrThrow(
  failure: unknown,
  call: RetryCall,
  state: RetryState,
  deadline: number,
): Promise<void> {
  const { context, policy } = call
  const { clock, random, pause, budget } = state
  const retryAfterMs = failure instanceof ApiError ? failure.retryAfterMs : undefined
  // A failed token request: the call itself was not sent, and it is not the API that asks to wait.
  const foreign = failure instanceof ClientError && failure.operationId !== context.operationId
  if (!foreign && retryAfterMs !== undefined) pause.extend(retryAfterMs)
  if (context.attempts > policy.maxRetries || !isRetryable(failure, call.repeatable || foreign)) throw failure
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs) throw failure
  const delay = retryDelay(context.attempts, retryAfterMs, policy, random)
  // Waiting past the end of the call would only replace this failure by a time-out that says less.
  if (clock.now() + delay >= deadline || !(foreign || budget.spend())) throw failure
  await sleep(delay, clock, call.signal)
}
