import { describe, expect, test } from 'vitest'
import { parseJson } from './json.ts'

describe('integers above 2^53', () => {
  const text =
    '{"id":"12345678901234567890","n":9007199254740993,"list":[-9007199254740993,1],"s":"a\\"9007199254740993"}'

  test('are refused by default, with the number in the message', () => {
    expect(() => parseJson(text, 'throw')).toThrow('9007199254740993')
  })

  test('become bigint where that is asked for, and nothing else changes', () => {
    expect(parseJson(text, 'bigint')).toEqual({
      id: '12345678901234567890',
      n: 9007199254740993n,
      list: [-9007199254740993n, 1],
      s: 'a"9007199254740993',
    })
  })
})

test('numbers that a JavaScript number holds exactly are numbers', () => {
  expect(parseJson('[9007199254740991, -9007199254740991, 1.2345678901234567, 1e30]', 'throw')).toEqual([
    9007199254740991, -9007199254740991, 1.2345678901234567, 1e30,
  ])
})

test('strings of digits are left alone', () => {
  expect(parseJson('{"1234567890123456789":"1234567890123456789"}', 'throw')).toEqual({
    '1234567890123456789': '1234567890123456789',
  })
})

test('broken JSON is a syntax error as ever', () => {
  expect(() => parseJson('{"a":', 'throw')).toThrow(SyntaxError)
  expect(() => parseJson('{"a":1234567890123456', 'throw')).toThrow(SyntaxError)
})
