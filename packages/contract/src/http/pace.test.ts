import { expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createPace, retryAfterSeconds } from './pace.ts'

const withRetryAfter = (value: string): Exchange => ({
  url: '',
  request: { method: 'GET', path: '/', headers: [] },
  response: { status: 429, reason: '', headers: [['retry-after', value]], body: '' },
  milliseconds: 0,
})

test('spaces requests so that no second has more than the rate', async () => {
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
