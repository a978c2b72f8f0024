import { describe, expect, test } from 'vitest'
import { context } from '../test/setup.ts'
import { NetworkError, ParseError, TimeoutError } from './errors.ts'
import { defaultRetryPolicy, isRetryable, retryDelay } from './retry-policy.ts'
import { createApiError } from './status-errors.ts'

const failure = (status: number) => createApiError(context(), { status })

describe('a retry is made', () => {
  test.each([408, 429, 500, 502, 503, 504])('after %i, if the request is safe to repeat', (status) => {
    expect(isRetryable(failure(status), true)).toBe(true)
  })

  test.each([400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 501])('never after %i', (status) => {
    expect(isRetryable(failure(status), true)).toBe(false)
  })

  test('only after 429 if the request is not safe to repeat', () => {
    expect(isRetryable(failure(429), false)).toBe(true)
    for (const status of [408, 500, 502, 503, 504]) expect(isRetryable(failure(status), false)).toBe(false)
    expect(isRetryable(new NetworkError(context(), { message: 'reset' }, 'https://x'), false)).toBe(false)
    expect(isRetryable(new TimeoutError(context(), 1), false)).toBe(false)
  })

  test('after broken connections and timeouts, but not after other errors', () => {
    expect(isRetryable(new NetworkError(context(), { message: 'reset' }, 'https://x'), true)).toBe(true)
    expect(isRetryable(new TimeoutError(context(), 1), true)).toBe(true)
    expect(isRetryable(new Error('abort'), true)).toBe(false)
    expect(isRetryable(new ParseError(context(), new Response(), 'html'), true)).toBe(false)
  })
})

describe('the delay', () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryDelay(attempts, 0, defaultRetryPolicy, () => random))

  test('doubles from 0.5 s to 8 s', () => {
    expect(delays(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  test('is random between 0 and that bound', () => {
    expect(delays(0)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(delays(0.5)[2]).toBe(1000)
  })

  test.each([0, 0.3, 0.999])('is never shorter than Retry-After with the random number %d', (random) => {
    const delay = retryDelay(1, 7_000, defaultRetryPolicy, () => random)
    expect(delay).toBeGreaterThanOrEqual(7_000)
    expect(delay).toBeLessThanOrEqual(7_700)
  })

  test('adds up to a tenth to Retry-After', () => {
    expect(retryDelay(1, 7_000, defaultRetryPolicy, () => 0.5)).toBe(7_350)
  })

  test('ignores a shorter Retry-After', () => {
    expect(retryDelay(3, 0, defaultRetryPolicy, () => 1)).toBe(2_000)
  })
})
