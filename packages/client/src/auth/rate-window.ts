import type { Clock } from '../clock.ts'
import type { Fetch } from '../fetch.ts'
import type { Pause } from '../pause.ts'

export interface RateWindow {
  readonly maximum: number
  readonly windowMs: number
}

/** Keeps requests within a known rate limit. When the limit is reached, the client pauses to avoid a 429. */
export function withRateWindow(
  send: Fetch,
  { maximum, windowMs }: RateWindow,
  pause: Pause,
  clock: Clock,
): Fetch {
  const sent: number[] = []
  return (request) => {
    const now = clock.now()
    const [oldest = now] = sent
    if (sent.push(now) >= maximum) {
      pause.extend(oldest + windowMs - now)
      sent.shift()
    }
    return send(request)
  }
}
