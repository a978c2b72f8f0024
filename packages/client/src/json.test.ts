import { describe, expect, test } from 'vitest'
import { parseBigIntegers, parseExact } from './json.ts'

describe('integers above 2^53', () => {
  const text =
    '{"id":"12345678901234567890","n":9007199254740993,"list":[-9007199254740993,1],"s":"a\\"9007199254740993"}'

  test('are refused by default, with the number in the message', () => {
    expect(() => parseExact(text)).toThrow('9007199254740993')
  })

  test('become bigint where that is asked for, and nothing else changes', () => {
    expect(parseBigIntegers(text)).toEqual({
      id: '12345678901234567890',
      n: 9007199254740993n,
      list: [-9007199254740993n, 1],
      s: 'a"9007199254740993',
    })
  })
})

test('numbers that a JavaScript number holds exactly are numbers', () => {
  expect(parseExact('[9007199254740991, -9007199254740991, 1.2345678901234567, 1e30]')).toEqual([
    9007199254740991, -9007199254740991, 1.2345678901234567, 1e30,
  ])
})

test('strings of digits are left alone', () => {
  expect(parseExact('{"1234567890123456789":"1234567890123456789"}')).toEqual({
    '1234567890123456789': '1234567890123456789',
  })
})

test('broken JSON is a syntax error as ever', () => {
  expect(() => parseExact('{"a":')).toThrow(SyntaxError)
  expect(() => parseExact('{"a":1234567890123456')).toThrow(SyntaxError)
})
