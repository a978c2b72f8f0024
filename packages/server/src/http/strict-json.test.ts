import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { parseStrictJson } from './strict-json.ts'

const read = (text: string) => parseStrictJson(Buffer.from(text))

function refusalOf(text: string | Buffer): { code: string; parameters?: readonly string[] } {
  try {
    parseStrictJson(Buffer.from(text))
    return { code: 'taken' }
  } catch (error) {
    return error instanceof Problem ? error : { code: String(error) }
  }
}

describe('JSON', () => {
  it.each([
    '{}',
    '[]',
    '1',
    'null',
    '"a"',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"b","c":"a"}',
    '{"a":["a","a"]}',
    '{"a:b,{[":"\\"}],:{"}',
    '{"a\\\\":1,"a":2}',
    '{"emoji":"\\ud83d\\ude00"}',
    '{"escaped":"\\\\ud800"}',
    '{"escaped":"\\\\u0000"}',
    '{"text":"😀 ä"}',
    '[1e308,-1e308,1e-400,9007199254740992,-9007199254740991,12345678901234567000]',
    '[9007199254740993.0,0.9007199254740993,1e-0000000000000001,1E+0000000000000001]',
    '{"9007199254740993":"9007199254740993 \\"9007199254740993"}',
    `${'['.repeat(64)}${']'.repeat(64)}`,
  ])('%s is parsed unchanged', (text) => {
    expect(read(text)).toEqual(JSON.parse(text))
  })

  it.each([
    ['', 'INVALID_JSON'],
    ['{', 'INVALID_JSON'],
    ['{"a":1,"a":2}', 'INVALID_JSON'],
    ['{"a":1,"\\u0061":2}', 'INVALID_JSON'],
    ['[{"b":{"a":1,"c":[],"a":2}}]', 'INVALID_JSON'],
    ['{"a":"\\ud800"}', 'INVALID_JSON'],
    ['{"a":"\\ude00\\ud83d"}', 'INVALID_JSON'],
    ['"\\ud800"', 'INVALID_JSON'],
    ['{"a":"\\\\\\ud800"}', 'INVALID_JSON'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'INVALID_JSON'],
    ['{"__proto__":1}', 'VALIDATION_ERROR'],
    ['[{"__proto__":1}]', 'VALIDATION_ERROR'],
    ['{"a":"b\\u0000"}', 'VALIDATION_ERROR'],
    ['{"a":"\\\\\\u0000"}', 'VALIDATION_ERROR'],
    ['{"\\u0000":1}', 'VALIDATION_ERROR'],
    ['"\\u0000"', 'VALIDATION_ERROR'],
    ['1e400', 'VALIDATION_ERROR'],
    ['9007199254740993', 'VALIDATION_ERROR'],
    ['{"a":"b","c":[1,-9007199254740993]}', 'VALIDATION_ERROR'],
    ['12345678901234567890', 'VALIDATION_ERROR'],
    ['{"a":-1e400}', 'VALIDATION_ERROR'],
    [`[${'9'.repeat(400)}]`, 'VALIDATION_ERROR'],
    ['{"a":1e400,"a":1}', 'INVALID_JSON'],
    ['{"a":{"__proto__":1},"a":2}', 'INVALID_JSON'],
    [Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'INVALID_JSON'],
    ['\ufeff{}', 'INVALID_JSON'],
  ])('%s is rejected', (text, code) => {
    expect(refusalOf(text).code).toBe(code)
  })

  it.each([
    ['{', ''],
    ['{"a":1,"a":2}', ''],
    ['"\\u0000"', ''],
    ['{"a":["b",{"c/d":"\\u0000"}]}', '/a/1/c~1d'],
    ['{"a":{"\\u0000":1}}', '/a/\0'],
    ['{"__proto__":1}', '/__proto__'],
    ['{"a":[{},{"b/c":{"__proto__":{"d":1}}}]}', '/a/1/b~1c/__proto__'],
    ['1e400', ''],
    ['{"a":1e300,"b":[0,{"c":1e400}]}', '/b/1/c'],
    ['{"a":1,"b":[0,{"c":9007199254740993}]}', '/b/1/c'],
    [`{"${'n'.repeat(4000)}":1e400}`, `/${'n'.repeat(4000)}`],
    [`{"a":{"${'n'.repeat(5000)}":1e400}}`, '/a'],
  ])('%s is rejected at %j', (text, pointer) => {
    expect(refusalOf(text).parameters).toEqual([pointer])
  })
})
