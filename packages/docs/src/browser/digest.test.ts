import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestHeader, parseChallenge } from './digest.ts'
import { md5 } from './md5.ts'

test('computes the MD5 digests of RFC 1321 appendix A.5', () => {
  expect(md5('')).toBe('d41d8cd98f00b204e9800998ecf8427e')
  expect(md5('message digest')).toBe('f96b697d7cb7938d525a2f31aaf161d0')
  expect(md5('12345678901234567890123456789012345678901234567890123456789012345678901234567890')).toBe(
    '57edf4a22be3c955ac49da2e2107b67a',
  )
})

test('computes the same MD5 as Node around block boundaries and beyond ASCII', () => {
  for (let length = 50; length < 70; length += 1) {
    const text = 'ü€'.repeat(length)
    expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'))
  }
})

test('parses quoted and unquoted challenge fields', () => {
  expect(parseChallenge('Digest realm="a \\"b\\"", qop="auth", algorithm=MD5, stale=false')).toEqual({
    realm: 'a "b"',
    qop: 'auth',
    algorithm: 'MD5',
    stale: 'false',
  })
})

test('creates the header of RFC 7616 §3.9.1', () => {
  const challenge =
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
  const header = digestHeader(
    challenge,
    { publicKey: 'Mufasa', privateKey: 'Circle of Life' },
    { method: 'GET', uri: '/dir/index.html', cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  )
  expect(header).toContain('response="8ca523f5e9506fed4657c9700eebdbec"')
  expect(header).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
})
