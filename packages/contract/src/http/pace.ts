import { type Exchange, headerValue } from './exchange.ts'

/** Limits the kit's request rate to a configured rate or to the rate that the target accepts. */
export interface Pace {
  /** Resolves when the caller may send the next request. */
  turn(): Promise<void>
  /**
   * Call this function when the target rejects a request because of a rate limit, and pass the number of seconds to
   * wait.
   */
  slower(seconds: number): void
}

export interface PaceOptions {
  readonly requestsPerSecond?: number | undefined
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** After the target limits the rate, the kit continues at this fraction of the previous rate. */
const afterTooMany = 0.8
/**
 * The factor by which the rate grows in the first second after the target limits it. After n seconds, the total growth
 * is this factor to the power of n².
 */
const growth = 1.03
/** If a limit is lower than this rate, it probably applies to a single operation, so other requests keep their rate. */
const leastPerSecond = 10
const second = 1000

/**
 * Spaces requests evenly. Without a configured rate, there is no delay until the target limits requests.
 * After a rate limit, the rate drops slightly below the limit and then grows faster and faster. Without a
 * delay, all waiting requests would be sent at the same time and reach the limit again.
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
      // Requests that were already in flight when the limit was reached don't count again.
      if (at < borne.until) return
      const sent = latest.filter((one) => one > at - second && one <= at).length
      if (sent < leastPerSecond) return
      const perSecond = Math.max(leastPerSecond, afterTooMany * Math.min(sent, allowed(at)))
      borne = { perSecond, since: at, until: at + seconds * second }
    },
  }
}

/**
 * Returns the number of seconds in a response's `Retry-After` header (RFC 9110 §10.2.3). The header contains
 * a number or an HTTP date. A date is compared with the response's `Date` header, because the target's clock may differ
 * from this machine's clock.
 *
 * @param now The current time in milliseconds since the UNIX epoch, for responses without a `Date` header.
 */
export const retryAfterSeconds = ({ response }: Exchange, now: number): number | undefined => {
  const value = headerValue(response.headers, 'Retry-After')?.trim()
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const until = millisecondsOf(value)
  if (until === undefined) return undefined
  const sent = millisecondsOf(headerValue(response.headers, 'Date') ?? '') ?? now
  return Math.max(0, Math.ceil((until - sent) / second))
}

/** Returns the milliseconds since the UNIX epoch for an HTTP date. */
const millisecondsOf = (date: string): number | undefined => {
  const milliseconds = /^[A-Z][a-z]{2}, \d/.test(date) ? Date.parse(date) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}
