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

test('hides secrets anywhere in an exchange', () => {
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

test('does not treat short strings as secrets', () => {
  expect(createSecrets(['a']).maskText('banana')).toBe('banana')
})

const odd = 'pa"ss\\word-é /+&\n<\u{1f511}'

test.each([
  ['plain', odd],
  ['in JSON', JSON.stringify({ secret: odd })],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ secret: odd }))],
  [
    'in ASCII JSON',
    JSON.stringify(odd).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ],
  ['in JSON with slashes escaped', JSON.stringify(odd).replaceAll('/', '\\/')],
  ['in a URL', `/path?secret=${encodeURIComponent(odd)}&a=b`],
  ['in a URL with small letters', encodeURIComponent(odd).toLowerCase()],
  ['in a URL within a URL', encodeURIComponent(encodeURIComponent(odd))],
  ['in a form', new URLSearchParams({ secret: odd }).toString()],
  ['in HTML', odd.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
  [
    'in HTML with numeric entities',
    [...odd]
      .map((each) => `&#${each.codePointAt(0)};`)
      .join('')
      .replaceAll(/&#(9[789]|1[01]\d|12[0-2]);/g, (_, code) => String.fromCodePoint(code)),
  ],
  ['in Base64', Buffer.from(odd).toString('base64')],
  ['in base64url', Buffer.from(odd).toString('base64url')],
])('hides a secret in any encoding: %s', (_, text) => {
  const secrets = createSecrets([odd])
  expect(secrets.within(text)).toEqual([odd])
  expect(secrets.maskText(text)).toContain('[masked]')
  expect(secrets.maskText(text)).not.toMatch(/ss|word|1f511|cGEi/i)
})

test('hides secrets that contain each other or overlap', () => {
  const maskText = (text: string) => createSecrets(['private', 'private-key-2', 'key-2-and']).maskText(text)
  expect(maskText('x private-key-2 y')).toBe('x [masked] y')
  expect(maskText('x private-key-2-and y, private z')).toBe('x [masked] y, [masked] z')
})

test('hides the rest of a secret in a truncated text', () => {
  const { maskText } = createSecrets(['a-"long"-password'])
  expect(maskText('{"at":"a-\\"long\\"-pass…')).toBe('{"at":"[masked]…')
  expect(maskText('it is a-"long"-p')).toBe('it is [masked]')
  expect(maskText('it is a-"lo')).toBe('it is a-"lo')
})

test('hides a token with escaped quotes, also when truncated', () => {
  const { maskText } = createSecrets()
  expect(maskText('{"access_token":"abc","b":1}')).toBe('{"access_token":"[masked]","b":1}')
  expect(maskText('"{\\"access_token\\": \\"abc\\"}"')).toBe('"{\\"access_token\\": \\"[masked]\\"}"')
  expect(maskText('{"access_token":"abc…')).toBe('{"access_token":"[masked]')
})

test('scans long hostile texts quickly', () => {
  const { maskText } = createSecrets(['\\"\\"\\"-secret', 'aaaaaaaaaaaaaaaab'])
  const began = performance.now()
  for (const piece of ['\\', '"', 'a', '%25', '&amp;', '…']) maskText(piece.repeat(200_000))
  expect(performance.now() - began).toBeLessThan(3000)
})
