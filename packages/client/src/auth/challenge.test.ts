import { expect, test } from 'vitest'
import { parseChallenges } from './challenge.ts'

test('ignores commas inside quotes', () => {
  expect(parseChallenges('Digest realm="a, b=c", nonce="n"')).toEqual([
    { scheme: 'digest', parameters: { realm: 'a, b=c', nonce: 'n' } },
  ])
})

test('splits several challenges in one header', () => {
  const header = 'Basic realm="x", Digest realm="y", nonce="1", algorithm=SHA-256 , Digest nonce="2",Bearer'
  expect(parseChallenges(header)).toEqual([
    { scheme: 'basic', parameters: { realm: 'x' } },
    { scheme: 'digest', parameters: { realm: 'y', nonce: '1', algorithm: 'SHA-256' } },
    { scheme: 'digest', parameters: { nonce: '2' } },
    { scheme: 'bearer', parameters: {} },
  ])
})

test('reads names in any case, allows spaces around the equals sign, and keeps escapes', () => {
  expect(parseChallenges('DIGEST Realm = "say \\"hi\\"" , NONCE=abc')).toEqual([
    { scheme: 'digest', parameters: { realm: 'say \\"hi\\"', nonce: 'abc' } },
  ])
})

test('reads the valid part of an empty or broken header', () => {
  expect(parseChallenges('')).toEqual([])
  expect(parseChallenges('nonce="1"')).toEqual([])
  expect(parseChallenges('Digest nonce="open')).toEqual([{ scheme: 'digest', parameters: { nonce: '' } }])
})

test('parses a hostile header in linear time', () => {
  expect(parseChallenges(`Digest ${'a='.repeat(50_000)}`).length).toBeGreaterThan(0)
})

test('finds a challenge after base64 credentials of another scheme', () => {
  const challenges = parseChallenges('Negotiate a/b+c==, Digest realm="a", nonce="b"')
  expect(challenges.at(-1)).toEqual({ scheme: 'digest', parameters: { realm: 'a', nonce: 'b' } })
})
