import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isCoded, withoutCodings } from './coding.ts'
import type { Header } from './exchange.ts'

const text = '{"é":1}'
const plain = Buffer.from(text)
const most = 1000

const read = (coding: string, bytes: Buffer): string =>
  withoutCodings([['content-encoding', coding]], bytes, most).toString()

test.each([
  ['gzip', gzipSync(plain)],
  ['X-GZIP', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['identity', plain],
  ['gzip, br', brotliCompressSync(gzipSync(plain))],
  ['', plain],
])('decodes a body with the coding %s', (coding, bytes) => expect(read(coding, bytes)).toBe(text))

test('decodes the codings of several lines from the last to the first', () => {
  const headers: readonly Header[] = [
    ['Content-Encoding', 'deflate'],
    ['Content-Encoding', 'gzip'],
  ]
  expect(withoutCodings(headers, gzipSync(deflateSync(plain)), most).toString()).toBe(text)
})

test('an empty body is valid in any coding', () => {
  expect(read('gzip', Buffer.alloc(0))).toBe('')
  expect(read('zstd', Buffer.alloc(0))).toBe('')
})

test('an unknown coding is untestable, and invalid data is an error', () => {
  expect(() => read('zstd', plain)).toThrow(expect.objectContaining({ name: 'UnsupportedCoding' }))
  expect(() => read('toString', plain)).toThrow(expect.objectContaining({ name: 'UnsupportedCoding' }))
  expect(() => read('gzip', plain)).toThrow(expect.objectContaining({ code: 'Z_DATA_ERROR' }))
  expect(() => read('gzip', gzipSync(plain).subarray(0, 15))).toThrow(
    expect.objectContaining({ code: 'Z_BUF_ERROR' }),
  )
})

test('limits the length of the decoded body', () => {
  expect(() => read('gzip', gzipSync(Buffer.alloc(most + 1)))).toThrow(
    expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }),
  )
})

test('identity is not a coding', () => {
  expect(
    [[], ['identity'], ['gzip']].map((codings) => isCoded(codings.map((one) => ['Content-Encoding', one]))),
  ).toEqual([false, false, true])
})
