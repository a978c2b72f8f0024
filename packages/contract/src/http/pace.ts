import { type Exchange, headerValue } from './exchange.ts'

/** Limits the request rate to the configured rate, or to the rate that the target accepts. */
export interface Pace {
  /** Resolves when the next request can be sent. */
  turn(): Promise<void>
  /** Call this when a request was sent too early and has to wait for the given number of seconds. */
  slower(seconds: number): void
}

export interface PaceOptions {
  readonly requestsPerSecond?: number | undefined
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** After a rate limit, requests continue at this fraction of the earlier rate. */
const afterTooMany = 0.8
/**
 * The growth factor for the first second without a rate limit. Later, the exponent is the square of the number of
 * seconds.
 */
const growth = 1.03
/** A limit below this rate probably applies to only one operation, so other requests aren't slowed down. */
const leastPerSecond = 10
const second = 1000

/**
 * Spaces requests evenly. Without a configured rate, there is no delay until the target limits requests. After that,
 * requests start slightly below the limit, and then get faster and faster. Otherwise, all waiting requests would reach
 * the limit again at the same time.
 */
export const createPace = ({
  requestsPerSecond = Number.POSITIVE_INFINITY,
  now,
  sleep,
}: PaceOptions): Pace => {
  let next = 0
  let borne = { perSecond: Number.POSITIVE_INFINITY, since: 0, until: 0 }
  let latest: number[] = []
  const allowed = (at: number): number =>
    Math.min(requestsPerSecond, borne.perSecond * growth ** (((at - borne.since) / second) ** 2))
  return {
    async turn() {
      const began = now()
      const at = Math.max(began, next)
      next = at + second / allowed(at)
      if (latest.length > 1 && (latest[0] ?? at) < began - second)
        latest = latest.filter((one) => one > began - second)
      latest.push(at)
      if (at > began) await sleep(at - began)
    },
    slower(seconds) {
      const at = now()
      // Requests that were in flight when the limit was reached don't count as reaching it again.
      if (at < borne.until) return
      const sent = latest.filter((one) => one > at - second && one <= at).length
      if (sent < leastPerSecond) return
      const perSecond = Math.max(leastPerSecond, afterTooMany * Math.min(sent, allowed(at)))
      borne = { perSecond, since: at, until: at + seconds * second }
    },
  }
}

/**
 * The number of seconds to wait, according to a response (RFC 9110 §10.2.3). The header contains either a number or
 * an HTTP date.
 *
 * @param now The current time in milliseconds since the UNIX epoch. Needed for dates.
 */
export const retryAfterSeconds = ({ response }: Exchange, now: number): number | undefined => {
  const value = headerValue(response.headers, 'Retry-After')?.trim()
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = /^[A-Z][a-z]{2}, \d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
