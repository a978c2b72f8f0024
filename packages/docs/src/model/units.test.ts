import { expect, test } from 'vitest'
import { durationText, sizeText } from './units.ts'

test('formats durations and sizes in readable units', () => {
  expect([5, 60, 14_400, 432_060, 0].map(durationText)).toEqual([
    '5 seconds',
    '1 minute',
    '4 hours',
    '5 days 1 minute',
    '0 seconds',
  ])
  expect([1_048_576, 2_048, 1_000].map(sizeText)).toEqual([
    '1 MiB (1,048,576 bytes)',
    '2 KiB (2,048 bytes)',
    '1,000 bytes',
  ])
})
