import { expect, test } from 'vitest'
import { digestAuthorization, digestResponse } from './digest.ts'

/** The example from RFC 7616 §3.9.1. */
const mufasa = {
  username: 'Mufasa',
  password: 'Circle of Life',
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  method: 'GET',
  uri: '/dir/index.html',
  count: 1,
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
  algorithm: 'MD5',
}

test('computes the response of the example in RFC 7616', () => {
  expect(digestResponse(mufasa)).toBe('8ca523f5e9506fed4657c9700eebdbec')
})

test('does not quote qop, nc and algorithm', () => {
  const value = digestAuthorization(mufasa)
  expect(value).toContain('qop=auth, nc=00000001, ')
  expect(value).toContain('algorithm=MD5')
  expect(value).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
})

test('escapes quotes in quoted values', () => {
  expect(digestAuthorization({ ...mufasa, username: 'a"b\\c' })).toContain('username="a\\"b\\\\c"')
})
