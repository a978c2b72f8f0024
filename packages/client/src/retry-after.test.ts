import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.UTC(2025, 10, 18, 12)
const read = (headers: Record<string, string>): number | undefined =>
  parseRetryAfter(new Headers(headers), now)

test('seconds are taken as they are', () => {
  expect(read({ 'retry-after': '7' })).toBe(7_000)
  expect(read({ 'retry-after': ' 0 ' })).toBe(0)
})

test('a date is taken against the clock of the client', () => {
  expect(read({ 'retry-after': 'Tue, 18 Nov 2025 12:00:30 GMT' })).toBe(30_000)
})

test('a date is taken against the clock of the server where it tells it', () => {
  const headers = { 'retry-after': 'Tue, 18 Nov 2025 13:00:30 GMT', date: 'Tue, 18 Nov 2025 13:00:00 GMT' }
  expect(read(headers)).toBe(30_000)
})

test('a date in the past is no wait, and nonsense is no statement', () => {
  expect(read({ 'retry-after': 'Tue, 18 Nov 2025 11:00:00 GMT' })).toBe(0)
  expect(read({ 'retry-after': 'soon' })).toBeUndefined()
  expect(read({})).toBeUndefined()
})

test.each(['1.5', '-5', '+7', '30, 30', '60s', '1e3', '0x10', '2025-11-18T12:00:30Z', 'next 5'])(
  'only digits and HTTP dates say how long: %s does not',
  (value) => {
    expect(read({ 'retry-after': value })).toBeUndefined()
  },
)

test('a date in the older form counts too', () => {
  expect(read({ 'retry-after': 'Tuesday, 18-Nov-25 12:00:30 GMT' })).toBe(30_000)
})

test('a day is the longest wait', () => {
  const day = 86_400_000
  expect(read({ 'retry-after': '86400' })).toBe(day)
  expect(read({ 'retry-after': '99999999999999999999' })).toBe(day)
  expect(read({ 'retry-after': 'Tue, 18 Nov 2099 12:00:30 GMT' })).toBe(day)
})
