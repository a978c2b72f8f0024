import { readNumbers } from './settings.ts'

/** A token bucket. Calls add tokens and retries consume them, so retries remain a small part of the load. */
export interface RetryBudget {
  /** Adds tokens for a call. Call this function once for each API call. */
  earn(): void
  /** Consumes one token. Returns false if there are no tokens left. In that case, don't retry. */
  spend(): boolean
}

/** Options that limit the total number of retries across a client's calls. */
export interface RetryBudgetOptions {
  /** The maximum number of consecutive retries without a new call. Default: 10. */
  readonly size?: number | undefined
  /**
   * The number of retries that each call adds to the budget. The default, 0.1, increases the load by at most 10% in the
   * long run.
   */
  readonly ratio?: number | undefined
}

const defaults = { size: 10, ratio: 0.1 }

export function createRetryBudget(options?: RetryBudgetOptions): RetryBudget {
  const { size, ratio } = readNumbers(options, defaults)
  let tokens = size
  return {
    earn() {
      tokens = Math.min(size, tokens + ratio)
    },
    spend() {
      return tokens >= 1 && tokens-- > 0
    },
  }
}
