import { expect, test } from 'vitest'
import { parseChallenges } from './challenge.ts'

test('a comma inside quotes does not end a parameter', () => {
  expect(parseChallenges('Digest realm="a, b=c", nonce="n"')).toEqual([
    { scheme: 'digest', parameters: { realm: 'a, b=c', nonce: 'n' } },
  ])
})

test('several challenges in one header are told apart', () => {
  const header = 'Basic realm="x", Digest realm="y", nonce="1", algorithm=SHA-256 , Digest nonce="2",Bearer'
  expect(parseChallenges(header)).toEqual([
    { scheme: 'basic', parameters: { realm: 'x' } },
    { scheme: 'digest', parameters: { realm: 'y', nonce: '1', algorithm: 'SHA-256' } },
    { scheme: 'digest', parameters: { nonce: '2' } },
    { scheme: 'bearer', parameters: {} },
  ])
})

test('names are read in any case, with spaces around the equals sign, and escapes stay as they came', () => {
  expect(parseChallenges('DIGEST Realm = "say \\"hi\\"" , NONCE=abc')).toEqual([
    { scheme: 'digest', parameters: { realm: 'say \\"hi\\"', nonce: 'abc' } },
  ])
})

test('an empty or broken header gives what can be read of it', () => {
  expect(parseChallenges('')).toEqual([])
  expect(parseChallenges('nonce="1"')).toEqual([])
  expect(parseChallenges('Digest nonce="open')).toEqual([{ scheme: 'digest', parameters: { nonce: '' } }])
})

test('a hostile header is read in linear time', () => {
  expect(parseChallenges(`Digest ${'a='.repeat(50_000)}`).length).toBeGreaterThan(0)
})

test('credentials of a scheme that has no names, with all that base64 may hold, hide no challenge after them', () => {
  const challenges = parseChallenges('Negotiate a/b+c==, Digest realm="a", nonce="b"')
  expect(challenges.at(-1)).toEqual({ scheme: 'digest', parameters: { realm: 'a', nonce: 'b' } })
})
