import type { Clock } from '../clock.ts'

/** A clock that stands still until it is told to move. */
export interface TestClock extends Clock {
  /** Moves on, and runs what falls due on the way, in order. */
  advance(ms: number): Promise<void>
  /** Moves on from one timer to the next until the promise settles; returns what it settles to. */
  settle<T>(work: Promise<T>): Promise<T>
  /** Timers that wait to fire: 0 says that nothing was left behind. */
  readonly pending: number
}

/** Turns of the event loop in which promises, streams and WebCrypto get on. */
async function breathe(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/**
 * Creates a clock for `createClient({ clock })`: back-off, time-outs and token lifetimes take no real time.
 *
 * @example
 * const clock = createTestClock()
 * const alert = await clock.settle(client.getAlert({ groupId, alertId }))
 */
export function createTestClock(start = Date.UTC(2025, 10, 18, 12)): TestClock {
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
      do await breathe()
      while (fireNext(until))
      now = until
    },
    async settle(work) {
      let open = true
      const done = (): void => {
        open = false
      }
      work.then(done, done)
      for (await breathe(); open; await breathe()) fireNext(Number.POSITIVE_INFINITY)
      return work
    },
    get pending() {
      return timers.size
    },
  }
}
