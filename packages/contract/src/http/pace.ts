import { type Exchange, headerValue } from './exchange.ts'

/** Keeps under a number of requests a second, and says how long an answer asks to wait. */
export interface Pace {
  /** Resolves when the next request may go. */
  turn(): Promise<void>
}

export interface PaceOptions {
  readonly requestsPerSecond?: number | undefined
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** Spaces requests evenly; without a rate, every request may go at once. */
export const createPace = ({ requestsPerSecond, now, sleep }: PaceOptions): Pace => {
  let next = 0
  return {
    async turn() {
      if (requestsPerSecond === undefined) return
      const at = Math.max(now(), next)
      next = at + 1000 / requestsPerSecond
      const wait = at - now()
      if (wait > 0) await sleep(wait)
    },
  }
}

/**
 * Seconds that an answer asks to wait (RFC 9110 §10.2.3): a number of seconds, or an HTTP date.
 *
 * @param now milliseconds since the UNIX epoch, for a date.
 */
export const retryAfterSeconds = ({ response }: Exchange, now: number): number | undefined => {
  const value = headerValue(response.headers, 'Retry-After')?.trim()
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = /^[A-Z][a-z]{2}, \d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
