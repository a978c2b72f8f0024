import type { Clock } from '@svc-admin/client'

/**
 * A clock for tests with real connections. Waits between requests end immediately, but timeouts end only when
 * `expire` is called.
 */
export interface FastClock extends Clock {
  /** The duration of each skipped wait, in milliseconds. */
  readonly waits: number[]
  /** Ends all pending timeouts. */
  expire(): void
}

/**
 * Creates a clock that skips waits of up to `maxWaitMs`. Before each skipped wait, `onWait` can advance another clock.
 */
export function createFastClock(
  maxWaitMs: number,
  onWait: (ms: number) => Promise<unknown> = async () => undefined,
): FastClock {
  let now = Date.now()
  const waits: number[] = []
  const held = new Set<() => void>()
  return {
    waits,
    now: () => now,
    after(ms, callback) {
      let cancelled = false
      const fire = (): void => {
        held.delete(fire)
        if (!cancelled) callback()
      }
      if (ms <= maxWaitMs) {
        waits.push(ms)
        void onWait(ms).then(() => {
          now += ms
          fire()
        })
      } else held.add(fire)
      return () => {
        cancelled = true
        held.delete(fire)
      }
    },
    expire() {
      for (const fire of [...held]) fire()
    },
  }
}
