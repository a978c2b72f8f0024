import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { md5 } from './md5.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const text = (value: string): Uint8Array => new TextEncoder().encode(value)

test.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
  ['1234567890'.repeat(8), '57edf4a22be3c955ac49da2e2107b67a'],
])('the test suite of RFC 1321 §A.5: %j', (message, digest) => {
  expect(hex(md5(text(message)))).toBe(digest)
})

test('equals the digest of the platform for all lengths around block boundaries', () => {
  for (let length = 0; length <= 260; length++) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 131 + length * 17) & 255)
    expect(hex(md5(message))).toBe(createHash('md5').update(message).digest('hex'))
  }
})

test('equals the digest of the platform for a long message', () => {
  const message = text('Lindgren & Söner, kväll '.repeat(50_000))
  expect(hex(md5(message))).toBe(createHash('md5').update(message).digest('hex'))
})
