/** Time, injected so that tests never wait. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number
  /** Runs `callback` once after `ms` milliseconds; the function returned cancels it. */
  after(ms: number, callback: () => void): () => void
}

/** `setTimeout` keeps the delay in 32 bits: above that it fires at once. */
const longestDelay = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longestDelay))
    return () => clearTimeout(timer)
  },
}
