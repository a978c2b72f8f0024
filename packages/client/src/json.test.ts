import { describe, expect, test } from 'vitest'
import { parseBigIntegers, parseExact as parseText } from './json.ts'
import { parseExactValues } from './json-values.ts'

/** Calls both functions and checks that they agree. */
function parseExact(text: string): unknown {
  const parse = (each: (text: string) => unknown) => {
    try {
      return { value: each(text) }
    } catch (error) {
      return { error }
    }
  }
  const [byText, byValues] = [parse(parseText), parse(parseExactValues)]
  expect(byValues).toEqual(byText)
  if ('error' in byValues) throw byValues.error
  return byValues.value
}

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

  test.each([
    '9007199254740993',
    ' -9007199254740993',
    '[\n  9007199254740993\n]',
    '{"a": \t9007199254740993 }',
    '{"a":"\\\\","b":9007199254740993}',
    '{"a":"\\\\\\"","b":[0,9007199254740992]}',
  ])('are found in %s', (body) => {
    expect(() => parseExact(body)).toThrow(RangeError)
  })

  test('do not make a message longer than 100 characters', () => {
    const parse = () => parseExact(`[${'9'.repeat(1_000_000)}]`)
    expect(parse).toThrow(/^integer 9{30} is above 2\^53/)
  })
})

describe('a text that looks like an integer above 2^53', () => {
  test.each([
    '{"id":"67a1234567890123456b80a1","n":1}',
    '{"1234567890123456789":"1234567890123456789"}',
    '{"log":"at: 1234567890123456789, [1234567890123456789]"}',
    '{"log":"\\": 1234567890123456789, \\\\","n":1}',
    '{"log":"\\\\\\": 1234567890123456789","n":1}',
    '[1234567890123456789.5,1234567890123456789e3,1.1234567890123456789,-1e-1234567890123456]',
    '[9007199254740991, -9007199254740991, 1.2345678901234567, 1e30]',
  ])('is parsed unchanged: %s', (body) => {
    expect(parseExact(body)).toEqual(JSON.parse(body))
    expect(parseBigIntegers(body)).toEqual(JSON.parse(body))
  })

  test.each([
    ['without escapes', 'a'],
    ['of escapes', '\\n'],
    ['of quotation marks', '\\"'],
    ['of digits', '1'],
    ['of long numbers', ', 1234567890123456'],
  ])('is parsed in a string %s of 10 MB', (_, part) => {
    const body = `{"s":"${part.repeat(10_000_000 / part.length)}","n":9007199254740993}`
    expect(parseBigIntegers(body)).toMatchObject({ n: 9007199254740993n })
    expect(() => parseExact(body)).toThrow('9007199254740993')
  })
})

test('any depth is parsed', () => {
  const depth = 100_000
  const body = `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(Array.isArray(parseExactValues(body))).toBe(true)
})

test('throws a SyntaxError for broken JSON', () => {
  expect(() => parseExact('{"a":')).toThrow(SyntaxError)
  expect(() => parseExact('{"a":1234567890123456')).toThrow(SyntaxError)
})
