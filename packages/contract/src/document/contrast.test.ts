import { expect, test } from 'vitest'
import { contrast } from './contrast.ts'

const long = 'x'.repeat(200)

test('shows short values whole', () => {
  expect(contrast({ a: 1 }, { a: 2 })).toEqual({ actual: '{"a":1}', expected: '{"a":2}' })
  expect(contrast(undefined, null)).toEqual({ actual: 'nothing', expected: 'null' })
})

test('shows where long values differ', () => {
  const expected = { long, level: 'INFO', 'a/b': [1, { c: 2 }] }
  const actual = { long, 'a/b': [1, { c: 3 }, 4], more: true }
  expect(contrast(actual, expected)).toEqual({
    actual: '/level nothing, /a~1b/1/c 3, /a~1b/2 4, /more true',
    expected: 'with /level "INFO", /a~1b/1/c 2, /a~1b/2 nothing, /more nothing',
  })
})

test('ignores additional properties if allowed', () => {
  const told = contrast(
    { long, own: 1, list: [{ own: 1, a: 1 }] },
    { long, list: [{ a: 2 }] },
    { mayHaveMore: true },
  )
  expect(told).toEqual({ actual: '/list/0/a 1', expected: 'with /list/0/a 2' })
})

test('shows long texts from shortly before the first difference', () => {
  const { actual, expected } = contrast({ text: `${long}abc` }, { text: `${long}abd` })
  expect(expected).toBe(`with /text …${'x'.repeat(13)}abd"`)
  expect(actual).toBe(`/text …${'x'.repeat(13)}abc"`)
  expect(contrast(`${long}${long}`, `y${long}`).expected).toMatch(/^with "yx+…$/)
})

test('shows only a few of many differences', () => {
  const numbers = (from: number) => Array.from({ length: 100 }, (_, index) => from + index)
  expect(contrast(numbers(1), numbers(2)).actual).toBe('/0 1, /1 2, /2 3, /3 4, /4 5, and 95 more')
})

test('ignores inherited properties', () => {
  const { actual } = contrast({ long }, { long, constructor: 1 })
  expect(actual).toBe('/constructor nothing')
})
