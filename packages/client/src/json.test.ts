import { describe, expect, test } from 'vitest'
import { parseBigIntegers, parseExact } from './json.ts'

describe('integers above 2^53', () => {
  const text =
    '{"id":"12345678901234567890","n":9007199254740993,"list":[-9007199254740993,1],"s":"a\\"9007199254740993"}'

  test('are rejected by default, with the number in the message', () => {
    expect(() => parseExact(text)).toThrow('9007199254740993')
  })

  test('become bigint with parseBigIntegers, and nothing else changes', () => {
    expect(parseBigIntegers(text)).toEqual({
      id: '12345678901234567890',
      n: 9007199254740993n,
      list: [-9007199254740993n, 1],
      s: 'a"9007199254740993',
    })
  })
})

test('parses exactly representable numbers as numbers', () => {
  expect(parseExact('[9007199254740991, -9007199254740991, 1.2345678901234567, 1e30]')).toEqual([
    9007199254740991, -9007199254740991, 1.2345678901234567, 1e30,
  ])
})

test('does not change strings of digits', () => {
  expect(parseExact('{"1234567890123456789":"1234567890123456789"}')).toEqual({
    '1234567890123456789': '1234567890123456789',
  })
})

test('throws a SyntaxError for broken JSON', () => {
  expect(() => parseExact('{"a":')).toThrow(SyntaxError)
  expect(() => parseExact('{"a":1234567890123456')).toThrow(SyntaxError)
})
