/** The clock, injected so that tests don't wait. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number
  /** Runs `callback` once after `ms` milliseconds. Call the returned function to cancel it. */
  after(ms: number, callback: () => void): () => void
}

/** `setTimeout` stores the delay in 32 bits. A longer delay fires immediately. */
const maxDelay = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, maxDelay))
    return () => clearTimeout(timer)
  },
}
