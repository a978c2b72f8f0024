import { describe, expect, it } from 'vitest'
import { retryWaits, waitAfter } from './retry.ts'

const day = 24 * 3600

describe('the delay after a failed attempt', () => {
  it.each([
    ['as scheduled', undefined, 300],
    ['longer if the receiver requests it', '3600', 3600],
    ['not shorter than scheduled', '1', 300],
    ['at most a day', String(30 * day), day],
    ['as scheduled if Retry-After is invalid', 'soon', 300],
  ])('is %s', (_, asked, seconds) => {
    expect(waitAfter(2, asked)).toBe(seconds * 1000)
  })

  it('is undefined after the last attempt, even with Retry-After', () => {
    expect(waitAfter(retryWaits.length, undefined)).toBe(day * 1000)
    expect(waitAfter(retryWaits.length + 1, '5')).toBeUndefined()
  })
})
