import type { Clock } from '../clock.ts'

/** A clock that advances only when a test advances it. */
export interface TestClock extends Clock {
  /** Advances the clock and fires due timers in order. */
  advance(ms: number): Promise<void>
  /** Advances from timer to timer until the promise settles, and then returns the promise. */
  settle<T>(work: Promise<T>): Promise<T>
  /** The number of timers that haven't fired yet. */
  readonly pending: number
}

/** Waits a few turns of the event loop so that promises, streams and WebCrypto make progress. */
async function flushEventLoop(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/**
 * Creates a clock for `createClient({ clock })`. With this clock, tests don't have to wait for backoff, timeouts or
 * token lifetimes.
 *
 * @example
 * const clock = createTestClock()
 * const alert = await clock.settle(client.getAlert({ groupId, alertId }))
 */
export function createTestClock(start: number = Date.UTC(2025, 10, 18, 12)): TestClock {
  const timers = new Map<object, { at: number; callback: () => void }>()
  let now = start

  function fireNext(until: number): boolean {
    const [next] = [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)
    if (!next) return false
    const [key, { at, callback }] = next
    timers.delete(key)
    now = Math.max(now, at)
    callback()
    return true
  }

  return {
    now: () => now,
    after(ms, callback) {
      const key = {}
      timers.set(key, { at: now + ms, callback })
      return () => timers.delete(key)
    },
    async advance(ms) {
      const until = now + ms
      do await flushEventLoop()
      while (fireNext(until))
      now = until
    },
    async settle(work) {
      let open = true
      const done = (): void => {
        open = false
      }
      work.then(done, done)
      for (await flushEventLoop(); open; await flushEventLoop()) fireNext(Number.POSITIVE_INFINITY)
      return work
    },
    get pending() {
      return timers.size
    },
  }
}
