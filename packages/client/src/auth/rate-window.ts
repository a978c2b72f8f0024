import type { Clock } from '../clock.ts'
import { sleep } from '../deadline.ts'
import type { CallContext } from '../fetch.ts'
import { RateLimitError } from '../status-errors.ts'

/** Keeps requests under a limit of so many in so long, and waits out what the server asks for. */
export interface RateWindow {
  /** Waits until one more request may go, and counts it. */
  pass(context: CallContext): Promise<void>
  /** Lets nothing pass for so long. */
  close(ms: number): void
}

export interface RateWindowOptions {
  readonly maximum: number
  readonly windowSeconds: number
  readonly clock: Clock
  /** A longer wait than this is an error, at once and with the wait in it. */
  readonly longestWaitMs: number
}

export function createRateWindow(options: RateWindowOptions): RateWindow {
  const { maximum, windowSeconds, clock, longestWaitMs } = options
  const sent: number[] = []
  let closedUntil = 0

  function waitMs(): number {
    const oldest = sent.length < maximum ? 0 : (sent[0] ?? 0) + windowSeconds * 1000
    return Math.max(closedUntil, oldest) - clock.now()
  }

  return {
    async pass(context) {
      const wait = waitMs()
      if (wait > longestWaitMs) {
        throw new RateLimitError(context, {
          status: 429,
          reason: 'Too Many Requests',
          detail: `not sent: the next request is allowed in ${Math.ceil(wait / 1000)} s`,
          retryAfterMs: wait,
        })
      }
      if (wait > 0) await sleep(wait, clock)
      sent.push(clock.now())
      if (sent.length > maximum) sent.shift()
    },
    close(ms) {
      closedUntil = Math.max(closedUntil, clock.now() + ms)
    },
  }
}
