import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createPace, type PaceOptions, retryAfterSeconds } from './pace.ts'
import { createRetry } from './retry.ts'

const answer = (status: number, value: string, date?: string): Exchange => ({
  url: '',
  request: { method: 'GET', path: '/', headers: [] },
  response: {
    status,
    reason: '',
    headers: [['retry-after', value], ...(date ? [['date', date] as const] : [])],
    body: '',
  },
  milliseconds: 0,
})

const withRetryAfter = (value: string, date?: string): Exchange => answer(429, value, date)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const clock: Pick<PaceOptions, 'now' | 'sleep'> = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/**
 * A gateway that limits requests per second and parallel requests. The gateway tells rejected clients to
 * retry after one second.
 */
const gateway = (perSecond: number, atOnce: number) => {
  let [left, since] = [atOnce, performance.now()]
  return async (): Promise<Exchange> => {
    await clock.sleep(10)
    const now = performance.now()
    left = Math.min(atOnce, left + ((now - since) / 1000) * perSecond)
    since = now
    if (left < 1) return withRetryAfter('1')
    left -= 1
    return answer(200, '')
  }
}

test('spaces requests so that no second exceeds the rate', async () => {
  const slept: number[] = []
  const pace = createPace({ requestsPerSecond: 4, now: () => 0, sleep: async (ms) => void slept.push(ms) })
  for (let turn = 0; turn < 4; turn += 1) await pace.turn()
  expect(slept).toEqual([250, 500, 750])
})

test('reads Retry-After as seconds and as a date', () => {
  expect(retryAfterSeconds(withRetryAfter('12'), 0)).toBe(12)
  expect(retryAfterSeconds(withRetryAfter('Thu, 01 Jan 1970 00:00:30 GMT'), 10_000)).toBe(20)
  expect(retryAfterSeconds(withRetryAfter('soon'), 0)).toBeUndefined()
})

test('compares a Retry-After date with the clock of the target', () => {
  const ahead = withRetryAfter('Fri, 02 Jan 1970 00:00:30 GMT', 'Fri, 02 Jan 1970 00:00:10 GMT')
  expect(retryAfterSeconds(ahead, 0)).toBe(20)
})

test.each([
  ["a full second's burst", 120, 120, 8],
  ['small bursts', 120, 10, 8],
  ['bursts smaller than the parallelism', 120, 10, 64],
  ['few requests per second', 20, 5, 8],
])(
  'behind a gateway that allows %s, a run is nearly as fast as the limit and all requests succeed',
  async (_, perSecond, atOnce, side) => {
    const ideal = 60
    let left = ideal * perSecond
    const pace = createPace(clock)
    const retryRequest = createRetry({
      now: () => Date.now(),
      wait: (seconds) => clock.sleep(seconds * 1000),
      onLimit: pace.slower,
    })
    const send = gateway(perSecond, atOnce)
    const statuses = new Map<number, number>()
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        const { response } = await retryRequest(async () => {
          await pace.turn()
          return send()
        })
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }
    const began = performance.now()
    let took: number | undefined
    const all = Promise.all(Array.from({ length: side }, worker)).then(() => {
      took = (performance.now() - began) / 1000
    })
    while (took === undefined) await vi.advanceTimersByTimeAsync(1000)
    await all
    expect([...statuses]).toEqual([[200, ideal * perSecond]])
    expect(took).toBeLessThan(ideal * 1.25)
  },
)

test('a limit of few requests does not slow down other requests', async () => {
  const slept: number[] = []
  const pace = createPace({ now: () => 5000, sleep: async (ms) => void slept.push(ms) })
  for (let turn = 0; turn < 5; turn += 1) await pace.turn()
  pace.slower(60)
  for (let turn = 0; turn < 5; turn += 1) await pace.turn()
  expect(slept).toEqual([])
})
