import type { Clock } from '@svc-admin/client'

/** A clock for tests on real connections: waits between requests pass at once, time-outs only when told to. */
export interface HastyClock extends Clock {
  /** Every wait that passed, in milliseconds. */
  readonly waits: number[]
  /** Lets the time-outs that are running run out. */
  expire(): void
}

/** Waits up to `longestWaitMs` pass; `onWait` may move another clock along before they do. */
export function createHastyClock(
  longestWaitMs: number,
  onWait: (ms: number) => Promise<unknown> = async () => undefined,
): HastyClock {
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
      if (ms <= longestWaitMs) {
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
