import { describe, expect, test } from 'vitest'
import { context } from '../test/setup.ts'
import { NetworkError, ParseError, TimeoutError } from './errors.ts'
import { defaultRetryPolicy, isRetryable, retryDelay } from './retry-policy.ts'
import { createApiError } from './status-errors.ts'

const failure = (status: number) => createApiError(context(), { status })

describe('what is retried', () => {
  test.each([408, 429, 500, 502, 503, 504])('%i, where the request is safe to repeat', (status) => {
    expect(isRetryable(failure(status), true)).toBe(true)
  })

  test.each([400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 501])('never %i', (status) => {
    expect(isRetryable(failure(status), true)).toBe(false)
  })

  test('of a request that is not safe to repeat only 429: it says that nothing was done', () => {
    expect(isRetryable(failure(429), false)).toBe(true)
    for (const status of [408, 500, 502, 503, 504]) expect(isRetryable(failure(status), false)).toBe(false)
    expect(isRetryable(new NetworkError(context(), { message: 'reset' }, 'https://x'), false)).toBe(false)
    expect(isRetryable(new TimeoutError(context(), 1), false)).toBe(false)
  })

  test('broken connections and time-outs, but not what somebody else threw', () => {
    expect(isRetryable(new NetworkError(context(), { message: 'reset' }, 'https://x'), true)).toBe(true)
    expect(isRetryable(new TimeoutError(context(), 1), true)).toBe(true)
    expect(isRetryable(new Error('abort'), true)).toBe(false)
    expect(isRetryable(new ParseError(context(), new Response(), 'html'), true)).toBe(false)
  })
})

describe('the delay', () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryDelay(attempts, 0, defaultRetryPolicy, () => random))

  test('doubles from half a second up to eight', () => {
    expect(delays(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  test('is any part of that bound, down to nothing', () => {
    expect(delays(0)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(delays(0.5)[2]).toBe(1000)
  })

  test.each([0, 0.3, 0.999])('is never shorter than Retry-After, with the random number %d', (random) => {
    const delay = retryDelay(1, 7_000, defaultRetryPolicy, () => random)
    expect(delay).toBeGreaterThanOrEqual(7_000)
    expect(delay).toBeLessThanOrEqual(7_700)
  })

  test('is spread over a tenth above Retry-After, for clients that were refused together', () => {
    expect(retryDelay(1, 7_000, defaultRetryPolicy, () => 0.5)).toBe(7_350)
  })

  test('stays what it is without Retry-After where that asks for less', () => {
    expect(retryDelay(3, 0, defaultRetryPolicy, () => 1)).toBe(2_000)
  })
})
