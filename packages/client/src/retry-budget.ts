import { readNumbers } from './settings.ts'

/** A token bucket: retries spend tokens and calls earn them, so retries remain a small share of the load. */
export interface RetryBudget {
  /** Called once per call. */
  earn(): void
  /** Spends one token. Returns false if none is left; the call must not be retried then. */
  spend(): boolean
}

export interface RetryBudgetOptions {
  /** Retries that can be made in a row without a new call. Default: 10. */
  readonly size?: number | undefined
  /** Retries earned by each call. Default: 0.1, so retries add at most 10 % load in the long run. */
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
