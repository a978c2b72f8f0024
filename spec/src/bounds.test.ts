import { expect, test } from 'vitest'
import { boundsSentence, numberBounds, rangeText } from './bounds.ts'

test('describes limits in words', () => {
  expect(rangeText(3, 63, 'character')).toBe('3 to 63 characters')
  expect(rangeText(1, 1, 'item')).toBe('exactly 1 item')
  expect(rangeText(undefined, 20_000)).toBe('at most 20,000')
  expect(rangeText(undefined, undefined)).toBeUndefined()
})

test('omits the limits of number formats', () => {
  expect(numberBounds({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })).toBeUndefined()
  expect(numberBounds({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toBe('at least 0')
})

test('describes limits and default as a sentence', () => {
  expect(boundsSentence({ minimum: 1, maximum: 500, default: 100 })).toBe('1 to 500, default 100.')
  expect(boundsSentence({ maximum: 20_000, default: 20_000 })).toBe('At most 20,000, default 20,000.')
  expect(boundsSentence({ minimum: 1 })).toBe('At least 1.')
  expect(boundsSentence({ type: 'boolean', default: false })).toBe('Default false.')
  expect(boundsSentence({ type: 'string', maxLength: 256 })).toBeUndefined()
})
