import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'

const exchange = {
  url: 'http://x/y?token=top-secret',
  request: {
    method: 'GET',
    path: '/y?token=top-secret',
    headers: [
      ['authorization', 'Digest username="me", response="0123abcd"'],
      ['X-Other', 'top-secret'],
    ],
    body: '{"password":"top-secret"}',
  },
  response: {
    status: 200,
    reason: 'OK',
    headers: [['X-Echo', 'top-secret']],
    body: '{"access_token": "abc"}',
  },
  milliseconds: 1,
} as const

test('hides secrets wherever they stand in an exchange', () => {
  const masked = JSON.stringify(createSecrets(['top-secret']).maskExchange(exchange))
  expect(masked).not.toContain('top-secret')
  expect(masked).not.toContain('0123abcd')
  expect(masked).not.toContain('"abc')
  expect(masked).toContain('username=\\"me\\"')
})

test('hides the whole value of other schemes', () => {
  const request = { ...exchange.request, headers: [['Authorization', 'Bearer abcdef']] as const }
  const masked = createSecrets().maskExchange({ ...exchange, request })
  expect(masked.request.headers).toEqual([['Authorization', 'Bearer [masked]']])
})

test('finds secrets that were added later', () => {
  const secrets = createSecrets()
  secrets.add('a-token-of-the-run')
  expect(secrets.within('it is a-token-of-the-run, really')).toEqual(['a-token-of-the-run'])
})

test('does not take short strings for secrets', () => {
  expect(createSecrets(['a']).maskText('banana')).toBe('banana')
})
