import { describe, expect, it } from 'vitest'
import { retryWaits, waitAfter } from './retry.ts'

const day = 24 * 3600

describe('the delay after a failed attempt', () => {
  it.each([
    ['that which is planned', undefined, 300],
    ['longer where the receiver asks for it', '3600', 3600],
    ['not shorter, whatever the receiver asks for', '1', 300],
    ['a day at most', String(30 * day), day],
    ['that which is planned, where nobody can read what is asked', 'soon', 300],
  ])('is %s', (_, asked, seconds) => {
    expect(waitAfter(2, asked)).toBe(seconds * 1000)
  })

  it('is undefined after the last attempt, even with Retry-After', () => {
    expect(waitAfter(retryWaits.length, undefined)).toBe(day * 1000)
    expect(waitAfter(retryWaits.length + 1, '5')).toBeUndefined()
  })
})
