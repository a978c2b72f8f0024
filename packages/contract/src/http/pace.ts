import { type Exchange, headerValue } from './exchange.ts'

/** Keeps under a number of requests a second: the one that was asked for, and what a target is found to bear. */
export interface Pace {
  /** Resolves when the next request may go. */
  turn(): Promise<void>
  /** Hears that a request came too soon, and has to wait for so many seconds. */
  slower(seconds: number): void
}

export interface PaceOptions {
  readonly requestsPerSecond?: number | undefined
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** What is tried after as many a second were too many, as a part of them. */
const afterTooMany = 0.8
/** And so many times as fast after a second in which nobody minds, with the square of the seconds from then on. */
const growth = 1.03
/** Whoever does not bear so many has a limit of another kind, such as one for an operation, which others need not heed. */
const leastPerSecond = 10
const second = 1000

/**
 * Spaces requests evenly. Without a rate, every request may go at once until one was too many: then they go nearly as
 * fast as was borne, and ever faster. Else all that wait for a limit would meet it again together, and some in vain.
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
      // Whoever was on the way meanwhile met the same limit.
      if (at < borne.until) return
      const sent = latest.filter((one) => one > at - second && one <= at).length
      if (sent < leastPerSecond) return
      const perSecond = Math.max(leastPerSecond, afterTooMany * Math.min(sent, allowed(at)))
      borne = { perSecond, since: at, until: at + seconds * second }
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
