import { readNumbers } from './settings.ts'

/** A token bucket: retries cost, calls earn, so that retries stay a small share of the load. */
export interface RetryBudget {
  /** Called once per call. */
  earn(): void
  /** Takes one token; false when there is none, and then nothing is sent again. */
  spend(): boolean
}

export interface RetryBudgetOptions {
  /** Retries that may be made in a row without any call that earns; 10 by default. */
  readonly size?: number | undefined
  /** Retries earned by each call; 0.1 by default, so at most 10 % extra load in the long run. */
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
      const enough = tokens >= 1
      if (enough) tokens--
      return enough
    },
  }
}
