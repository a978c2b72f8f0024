import { expect, test } from 'vitest'
import { challengeOf, parseChallenges } from './challenge.ts'

test('takes two challenges in one line apart', () => {
  const parsed = parseChallenges('Digest realm="a, b", qop="auth", nonce="n", stale=false, Bearer realm="c"')
  expect(parsed).toEqual([
    { scheme: 'digest', parameters: { realm: 'a, b', qop: 'auth', nonce: 'n', stale: 'false' } },
    { scheme: 'bearer', parameters: { realm: 'c' } },
  ])
})

test('finds a scheme in any line and whatever its case', () => {
  const headers = [
    ['WWW-Authenticate', 'Bearer'],
    ['www-authenticate', 'DIGEST Realm="x", nonce="y"'],
  ] as const
  expect(challengeOf(headers, 'Digest')?.parameters).toEqual({ realm: 'x', nonce: 'y' })
})

test('takes escaped quotes for part of the value', () => {
  expect(parseChallenges('Basic realm="a\\"b"')).toEqual([{ scheme: 'basic', parameters: { realm: 'a"b' } }])
})

test('ends on what it cannot read', () => {
  expect(parseChallenges('Digest "')).toEqual([{ scheme: 'digest', parameters: {} }])
  expect(parseChallenges('')).toEqual([])
})
