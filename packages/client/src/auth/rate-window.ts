import type { Clock } from '../clock.ts'
import type { Fetch } from '../fetch.ts'
import type { Pause } from '../pause.ts'

export interface RateWindow {
  readonly maximum: number
  readonly windowMs: number
}

/**
 * Keeps requests under a limit of so many in so long without being told: the request that uses it up starts
 * the pause which a 429 to the next one would ask for.
 */
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
