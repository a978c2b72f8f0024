import { describe, expect, it } from 'vitest'
import { expiryAfter, type Retention, raisedTo, retainsAsLongAs, retentionDaysOf } from './retention.ts'

const until = (from: string, retentionUnit: string, retentionValue: number) =>
  new Date(expiryAfter(Date.parse(from), { retentionUnit, retentionValue })).toISOString()

describe('retentions', () => {
  it('of months and years end on the same day, or on the last day of a shorter month', () => {
    expect(until('2026-01-31T02:15:00Z', 'months', 1)).toBe('2026-02-28T02:15:00.000Z')
    expect(until('2026-11-30T23:59:00Z', 'months', 3)).toBe('2027-02-28T23:59:00.000Z')
    expect(until('2024-02-29T00:00:00Z', 'years', 1)).toBe('2025-02-28T00:00:00.000Z')
    expect(until('2024-02-29T00:00:00Z', 'YEARS', 4)).toBe('2028-02-29T00:00:00.000Z')
  })

  it('of days and weeks are multiples of 24 hours', () => {
    expect(until('2026-02-27T12:00:00Z', 'days', 2)).toBe('2026-03-01T12:00:00.000Z')
    expect(until('2026-02-27T12:00:00Z', 'WEEKS', 1)).toBe('2026-03-06T12:00:00.000Z')
  })

  it('never end after the last representable day', () => {
    for (const unit of ['days', 'weeks', 'months', 'years']) {
      expect(until('2026-02-27T12:00:00Z', unit, 2_147_483_647)).toBe('9999-12-31T23:59:59.000Z')
    }
  })

  it('without a value or unit are a week', () => {
    expect(new Date(expiryAfter(0, {})).toISOString()).toBe('1970-01-08T00:00:00.000Z')
    expect(until('1970-01-01T00:00:00Z', 'fortnights', 3)).toBe('1970-01-08T00:00:00.000Z')
  })

  it('compare by days: a year is twelve months, and a month is more than four weeks', () => {
    const days = (retentionUnit: string, retentionValue: number) =>
      retentionDaysOf({ retentionUnit, retentionValue })
    expect(days('years', 1)).toBe(days('MONTHS', 12))
    expect(days('months', 1)).toBeGreaterThan(days('weeks', 4) ?? 0)
    expect([days('hours', 5), retentionDaysOf({ retentionUnit: 'days' })]).toEqual([undefined, undefined])
    expect([days('days', -1), days('years', -3)]).toEqual([0, 0])
  })
})

const of = (retentionUnit: string, ...values: readonly number[]): Retention[] =>
  values.map((retentionValue) => ({ retentionUnit, retentionValue }))

/** Retentions that differ only slightly from each other, or only for some start days. */
const many = [
  ...of(
    'days',
    1,
    27,
    28,
    29,
    30,
    31,
    32,
    59,
    60,
    61,
    62,
    363,
    364,
    365,
    366,
    367,
    1460,
    1461,
    2920,
    2921,
    2922,
  ),
  ...of('WEEKS', 4, 5, 52, 53),
  ...of('months', 1, 2, 3, 11, 12, 13, 96),
  ...of('YEARS', 1, 2, 4, 8, 400),
  ...of('days', 146_097, 3_000_000),
  {},
]

/** The first and last day of each month in a period of 400 years, after which the calendar repeats. */
const days = Array.from({ length: 400 * 12 }, (_, month) =>
  [1, -3, -2, -1, 0].map((day) => Date.UTC(2000, day > 0 ? month : month + 1, day)),
).flat()

describe('two retentions', () => {
  const spansOf = (retention: Retention) => {
    const spans = days.map((at) => ((retentionDaysOf(retention) ?? 0) > 0 ? expiryAfter(at, retention) : at))
    return (at: number) => spans[at] ?? 0
  }
  const all = many.map((retention) => ({ retention, until: spansOf(retention) }))
  const isMonths = ({ retentionUnit = '' }: Retention) => /months|years/i.test(retentionUnit)

  it.each(all)('compare by every day of the calendar: $retention', ({ retention, until }) => {
    const found = all.map((other) => days.every((_, at) => until(at) >= other.until(at)))
    expect(all.map((other) => retainsAsLongAs(retention, other.retention))).toEqual(found)
  })

  it('are raised to one that covers both', () => {
    for (const one of many) {
      for (const other of many) {
        const raised = raisedTo(one, other)
        const longest = Math.max(retentionDaysOf(one) ?? 0, retentionDaysOf(other) ?? 0)
        expect([retainsAsLongAs(raised, one), retainsAsLongAs(raised, other)]).toEqual([true, true])
        expect(retentionDaysOf(raised) ?? 0).toBeGreaterThanOrEqual(longest)
        expect(raisedTo(raised, one)).toEqual(raised)
        if (isMonths(one) === isMonths(other)) expect([one, other]).toContain(raised)
      }
    }
    expect(
      raisedTo({ retentionUnit: 'months', retentionValue: 1 }, { retentionUnit: 'days', retentionValue: 30 }),
    ).toEqual({ retentionUnit: 'days', retentionValue: 31 })
  })
})
