/** A clock. Replace the clock in tests to avoid waiting. */
export interface Clock {
  /** Returns the time in milliseconds since the UNIX epoch. */
  now(): number
  /** Runs `callback` after `ms` milliseconds. Call the returned function to cancel the timer. */
  after(ms: number, callback: () => void): () => void
}

/** 23 days. `setTimeout` fires immediately if the delay doesn't fit in 31 bits. */
const maxDelay = 2e9

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, maxDelay))
    return () => clearTimeout(timer)
  },
}
