import { describe, expect, it } from 'vitest'
import { daysKept, keptUntil } from './retention.ts'

const until = (from: string, retentionUnit: string, retentionValue: number) =>
  new Date(keptUntil(Date.parse(from), { retentionUnit, retentionValue })).toISOString()

describe('a retention', () => {
  it('of months and years ends on the same day, or on the last one of a shorter month', () => {
    expect(until('2026-01-31T02:15:00Z', 'months', 1)).toBe('2026-02-28T02:15:00.000Z')
    expect(until('2026-11-30T23:59:00Z', 'months', 3)).toBe('2027-02-28T23:59:00.000Z')
    expect(until('2024-02-29T00:00:00Z', 'years', 1)).toBe('2025-02-28T00:00:00.000Z')
    expect(until('2024-02-29T00:00:00Z', 'YEARS', 4)).toBe('2028-02-29T00:00:00.000Z')
  })

  it('of days and weeks is so many times 24 hours', () => {
    expect(until('2026-02-27T12:00:00Z', 'days', 2)).toBe('2026-03-01T12:00:00.000Z')
    expect(until('2026-02-27T12:00:00Z', 'WEEKS', 1)).toBe('2026-03-06T12:00:00.000Z')
  })

  it('never ends after the last day that can be written', () => {
    for (const unit of ['days', 'weeks', 'months', 'years']) {
      expect(until('2026-02-27T12:00:00Z', unit, 2_147_483_647)).toBe('9999-12-31T00:00:00.000Z')
    }
  })

  it('that does not say how long is a week', () => {
    expect(new Date(keptUntil(0, {})).toISOString()).toBe('1970-01-08T00:00:00.000Z')
    expect(until('1970-01-01T00:00:00Z', 'fortnights', 3)).toBe('1970-01-08T00:00:00.000Z')
  })

  it('is compared by days: a year is twelve months, a month more than four weeks', () => {
    const days = (retentionUnit: string, retentionValue: number) =>
      daysKept({ retentionUnit, retentionValue })
    expect(days('years', 1)).toBe(days('MONTHS', 12))
    expect(days('months', 1)).toBeGreaterThan(days('weeks', 4) ?? 0)
    expect([days('hours', 5), daysKept({ retentionUnit: 'days' })]).toEqual([undefined, undefined])
    expect([days('days', -1), days('years', -3)]).toEqual([0, 0])
  })
})
