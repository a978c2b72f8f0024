import { expect, test } from 'vitest'
import { isInUtc, isTimestamp, parseTimestamp } from './timestamp.ts'

test.each([
  ['2024-05-30T10:11:12Z', true],
  ['2024-05-30T10:11:12.133456Z', true],
  ['2024-05-30T10:11:12+00:00', true],
  ['2024-05-30t10:11:12z', true],
  ['2024-05-30T10:11:12+02:00', false],
  ['2024-05-30T10:11:12', false],
  ['2024-05-30T10:11Z', false],
])('%s is a timestamp, and whether it is in UTC: %s', (text, utc) => {
  expect(isTimestamp(text)).toBe(true)
  expect(isInUtc(text)).toBe(utc)
})

test.each([
  '{"t":{"$date":"2024-05-30T10:11:12.133+00:00"}}',
  '2024-05-30T10:11:12.133+0000 I ACCESS [conn1] authenticated',
  '2024-05-30',
  'since 2024-05-30T10:11:12+02:00',
])('%s is not a timestamp', (text) => expect(isTimestamp(text)).toBe(false))

test.each(['.000Z', '+00:00', 'z', '.0000000-00:00'])('the time is the same with %s', (end) => {
  expect(parseTimestamp(`2024-05-30T10:11:12${end}`)).toBe(parseTimestamp('2024-05-30T10:11:12Z'))
  expect(parseTimestamp('2024-05-30T12:11:12+02:00')).toBe(parseTimestamp('2024-05-30T10:11:12Z'))
})

test('orders times to the last digit, across zones and centuries', () => {
  const texts = [
    '1924-05-30T10:11:12Z',
    '2024-05-30T10:11:12Z',
    '2024-05-30T10:11:12.000001Z',
    '2024-05-30T10:11:12.00001Z',
    '2024-05-30T10:11:12.5Z',
    '2024-05-30T10:11:12.512Z',
    '2024-05-30T09:11:13-01:00',
  ]
  const moments = texts.map(parseTimestamp)
  expect([...moments].sort()).toEqual(moments)
  expect(new Set(moments).size).toBe(texts.length)
})

test('an invalid date has no time', () => {
  for (const text of ['yesterday', '', '2024-13-30T10:11:12Z', '2024-05-30', undefined])
    expect(parseTimestamp(text)).toBeUndefined()
})
