import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.UTC(2025, 10, 18, 12)
const read = (headers: Record<string, string>): number | undefined =>
  parseRetryAfter(new Headers(headers), now)

test('reads seconds', () => {
  expect(read({ 'retry-after': '7' })).toBe(7_000)
  expect(read({ 'retry-after': ' 0 ' })).toBe(0)
})

test('compares a date with the clock of the client', () => {
  expect(read({ 'retry-after': 'Tue, 18 Nov 2025 12:00:30 GMT' })).toBe(30_000)
})

test('compares a date with the Date header if there is one', () => {
  const headers = { 'retry-after': 'Tue, 18 Nov 2025 13:00:30 GMT', date: 'Tue, 18 Nov 2025 13:00:00 GMT' }
  expect(read(headers)).toBe(30_000)
})

test('returns 0 for a past date, and undefined for an invalid value', () => {
  expect(read({ 'retry-after': 'Tue, 18 Nov 2025 11:00:00 GMT' })).toBe(0)
  expect(read({ 'retry-after': 'soon' })).toBeUndefined()
  expect(read({})).toBeUndefined()
})

test('reads seconds with a fraction', () => {
  expect(read({ 'retry-after': '1.5' })).toBe(1_500)
})

test.each([
  ['30, 60', 30_000],
  ['1.5,1.5', 1_500],
  ['Tue, 18 Nov 2025 12:00:30 GMT, Tue, 18 Nov 2025 12:00:40 GMT', 30_000],
])('reads the first value of a header that was sent twice: %s', (value, expected) => {
  expect(read({ 'retry-after': value })).toBe(expected)
})

test.each(['.5', '1.', '-5', '+7', '60s', '1e3', '0x10', '2025-11-18T12:00:30Z', 'next 5'])(
  'rejects values other than numbers and HTTP dates: %s',
  (value) => {
    expect(read({ 'retry-after': value })).toBeUndefined()
  },
)

test('reads dates in the obsolete format', () => {
  expect(read({ 'retry-after': 'Tuesday, 18-Nov-25 12:00:30 GMT' })).toBe(30_000)
})

test('returns a day at most', () => {
  const day = 86_400_000
  expect(read({ 'retry-after': '86400' })).toBe(day)
  expect(read({ 'retry-after': '99999999999999999999' })).toBe(day)
  expect(read({ 'retry-after': 'Tue, 18 Nov 2099 12:00:30 GMT' })).toBe(day)
})
