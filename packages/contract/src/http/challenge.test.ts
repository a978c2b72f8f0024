import { expect, test } from 'vitest'
import { challengesOf, digestChallengeOf, parseChallenges } from './challenge.ts'

test('splits two challenges in one line', () => {
  const parsed = parseChallenges('Digest realm="a, b", qop="auth", nonce="n", stale=false, Bearer realm="c"')
  expect(parsed).toEqual([
    { scheme: 'digest', parameters: { realm: 'a, b', qop: 'auth', nonce: 'n', stale: 'false' } },
    { scheme: 'bearer', parameters: { realm: 'c' } },
  ])
})

test('finds a scheme in any line and in any case', () => {
  const headers = [
    ['WWW-Authenticate', 'Bearer'],
    ['www-authenticate', 'DIGEST Realm="x", nonce="y"'],
  ] as const
  expect(challengesOf(headers, 'Digest').map(({ parameters }) => parameters)).toEqual([
    { realm: 'x', nonce: 'y' },
  ])
})

test('handles escaped quotes in a value', () => {
  expect(parseChallenges('Basic realm="a\\"b"')).toEqual([{ scheme: 'basic', parameters: { realm: 'a"b' } }])
})

test('stops at invalid input', () => {
  expect(parseChallenges('Digest "')).toEqual([{ scheme: 'digest', parameters: {} }])
  expect(parseChallenges('')).toEqual([])
})

test.each([
  [['SHA-256', 'MD5'], 'MD5'],
  [['SHA-512-256', 'md5', 'SHA-256'], 'md5'],
  [['MD5-sess', undefined], undefined],
  [['SHA-256'], 'SHA-256'],
])('for the Digest challenges %j, takes the one with MD5, or else the first', (algorithms, taken) => {
  const headers = algorithms.map(
    (algorithm, at) =>
      ['WWW-Authenticate', `Digest nonce="${at}"${algorithm ? `, algorithm=${algorithm}` : ''}`] as const,
  )
  const found = digestChallengeOf(headers)
  expect(found?.parameters.algorithm).toBe(taken)
  expect(found?.parameters.nonce).toBe(String([...algorithms, undefined].indexOf(taken)))
})
