import type { OperationId } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { api, example, judged, secrets } from '../../test/judged.ts'
import { anonymous } from '../http/authorization.ts'
import type { Exchange, Header } from '../http/exchange.ts'
import { buildCall, type CallChanges } from '../model/call.ts'
import { digestChallenge } from './headers.ts'
import { judges } from './index.ts'
import { judgedExchangeOf } from './judge.ts'

const vendor: Header = ['Content-Type', 'application/vnd.svc.2023-01-01+json']
const plain: Header = ['Content-Type', 'application/json']
const vary: Header = ['Vary', 'Accept']
const challenge: Header = [
  'WWW-Authenticate',
  'Digest realm="a", nonce="b", qop="auth", algorithm=MD5, stale=false',
]

const error = (status: number, changes: Record<string, unknown> = {}): string =>
  JSON.stringify({
    error: status,
    errorCode: 'UNAUTHORIZED',
    reason: 'Unauthorized',
    detail: 'No.',
    ...changes,
  })

test('a field with a different spelling than the listed field is not the listed field', () => {
  const alert = example('getAlert')
  const validOf = (body: string) =>
    judged({ status: 200, headers: [vendor, vary], body })['errors.body-valid']
  expect(validOf(alert.replace('"lastNotified"', '"last_notified"'))).toBe('broken')
  expect(validOf(alert.replace('"orgId"', '"orgID"'))).toBe('broken')
  expect(validOf(alert.replace('"orgId"', '"orgID":"","orgId"'))).toBe('passed')
  expect(validOf(alert.replace('"clusterName"', '"cluster_name"'))).toBe('passed')
  expect(validOf(alert.replace(/(\d)T(\d)/, '$1 $2'))).toBe('broken')
})

test('the media type of a v2 success contains a date that is not later than the requested date', () => {
  const sent = [['Accept', 'application/vnd.svc.2023-06-01+json']] as const
  const opinionOf = (type: string, version: 'v1.0' | '2023-01-01' = '2023-01-01') =>
    judged({ version, sent, status: 200, headers: [['Content-Type', type]], body: '{}' })[
      'versions.dated-media-type'
    ]
  expect(opinionOf('application/vnd.svc.2023-01-01+json')).toBe('passed')
  expect(opinionOf('application/vnd.svc.2023-06-01+json; charset=utf-8')).toBe('passed')
  expect(opinionOf('application/vnd.svc.2024-05-30+json')).toBe('broken')
  expect(opinionOf('application/json')).toBe('broken')
  expect(opinionOf('application/json', 'v1.0')).toBeUndefined()
})

test('a valid response passes all judges', () => {
  const opinionOf = judged({ status: 200, headers: [vendor, vary], body: example('getAlert') })
  expect(new Set(Object.values(opinionOf))).toEqual(new Set(['passed']))
  expect(opinionOf).toHaveProperty('errors.body-valid')
})

test('compares media types as in RFC 9110', () => {
  const opinionOf = (type: string) =>
    judged({ status: 200, headers: [['content-type', type], vary], body: example('getAlert') })[
      'versions.content-type-names-resolved'
    ]
  expect(opinionOf('Application/VND.svc.2023-01-01+JSON; charset=UTF-8')).toBe('passed')
  expect(opinionOf('application/vnd.svc.2024-05-30+json')).toBe('broken')
  expect(opinionOf('application/json')).toBe('broken')
})

test('another success is a wrong success, an undeclared rejection a wrong status', () => {
  expect(
    judged({ status: 201, headers: [vendor, vary], body: example('getAlert') })['errors.success-status'],
  ).toBe('broken')
  const teapot = judged({ status: 418, headers: [plain], body: error(418) })
  expect(teapot['errors.status-declared']).toBe('broken')
  expect(teapot['errors.code-in-catalogue']).toBe('broken')
})

test("a body must match the version's schema, with or without an envelope", () => {
  const body = example('getAlert')
  const enveloped = { query: [['envelope', 'true']] } as const
  const opinionOf = (text: string, changes: CallChanges = {}) =>
    judged({ status: 200, headers: [vendor, vary], body: text, changes })['errors.body-valid']
  expect(opinionOf(`{"status":200,"content":${body}}`, enveloped)).toBe('passed')
  expect(opinionOf('{"status":200,"content":{"id":7}}', enveloped)).toBe('broken')
  expect(opinionOf('{"id":7}')).toBe('broken')
  expect(opinionOf('not JSON')).toBe('broken')
})

test('a body without a field is incomplete, and one with a wrong field is invalid', () => {
  const opinionOf = (changes: Record<string, unknown>) => {
    const body = JSON.stringify({ ...JSON.parse(example('getAlert')), ...changes })
    return judged({ status: 200, headers: [vendor, vary], body })
  }
  expect(opinionOf({ updated: undefined })).toMatchObject({
    'errors.body-valid': 'passed',
    'errors.body-complete': 'broken',
  })
  expect(opinionOf({ updated: 7 })).toMatchObject({
    'errors.body-valid': 'broken',
    'errors.body-complete': 'passed',
  })
  expect(judged({ status: 200, headers: [vendor, vary], body: 'no JSON' })).not.toHaveProperty(
    'errors.body-complete',
  )
})

test('an error agrees with its status, its reason phrase and the catalogue', () => {
  const good = judged({ status: 401, headers: [plain, challenge], body: error(401) })
  expect(new Set(Object.values(good))).toEqual(new Set(['passed']))
  const opinionOf = (changes: Record<string, unknown>) =>
    judged({ status: 401, headers: [plain, challenge], body: error(401, changes) })
  expect(opinionOf({ error: 400 })['errors.error-is-status']).toBe('broken')
  expect(opinionOf({ reason: 'Nope' })['errors.reason-is-phrase']).toBe('broken')
  expect(opinionOf({ errorCode: 'NOT_ACCEPTABLE' })['errors.code-in-catalogue']).toBe('broken')
  expect(opinionOf({ detail: 7 })['errors.body-fits-schema']).toBe('broken')
})

test('a 401 carries a complete challenge', () => {
  const opinionOf = (value: string) =>
    judged({ status: 401, headers: [plain, ['WWW-Authenticate', value]], body: error(401) })[
      'auth.unauthorized-carries-challenge'
    ]
  expect(
    opinionOf('Bearer, Digest realm="a", nonce="b", qop="auth,auth-int", algorithm="MD5", stale=FALSE'),
  ).toBe('passed')
  expect(opinionOf('Digest realm="a", qop="auth", algorithm=MD5, stale=false')).toBe('broken')
  expect(opinionOf('Basic realm="a"')).toBe('broken')
  const parts = { realm: '"a"', nonce: '"b"', qop: '"auth"', algorithm: 'MD5', stale: 'false' }
  const wrong = { nonce: '""', qop: '"auth-int"', algorithm: 'SHA-256', stale: 'perhaps' }
  const written = (all: Record<string, string>) =>
    opinionOf(`Digest ${Object.entries(all).map(([name, value]) => `${name}=${value}`)}`)
  expect(written(parts)).toBe('passed')
  for (const [name, value] of Object.entries(wrong))
    expect([name, written({ ...parts, [name]: value })]).toEqual([name, 'broken'])
  for (const name of Object.keys(parts)) {
    const others = Object.entries(parts).filter(([other]) => other !== name)
    expect([name, written(Object.fromEntries(others))]).toEqual([name, 'broken'])
  }
})

test('a challenge for wrong credentials is decided, and so is its absence', () => {
  const cell = api.cell('getAlert', '2023-01-01')
  if (cell === undefined) throw new TypeError('no such cell')
  const call = buildCall(cell, { parameters: {}, body: undefined, as: anonymous })
  const strengthOf = (sent: readonly Header[], value: string) => {
    const exchange: Exchange = {
      url: '',
      request: { method: 'GET', path: '/', headers: sent },
      response: { status: 401, reason: '', headers: [plain, ['WWW-Authenticate', value]], body: error(401) },
      milliseconds: 0,
    }
    const opinion = digestChallenge.judge(judgedExchangeOf(call, exchange, secrets))
    return typeof opinion === 'object' ? opinion.strength : opinion
  }
  const withoutStale = 'Digest realm="a", nonce="b", qop="auth", algorithm=MD5'
  for (const value of ['Bearer error="invalid_token"', withoutStale]) {
    expect(strengthOf([], value)).toBe('stated')
    expect(strengthOf([['authorization', 'Bearer x']], value)).toBe('decided')
  }
})

test.each([
  ['no credentials', undefined, 'broken'],
  ['an unknown token', 'Bearer x', 'broken'],
  ['Digest credentials without a nonce', 'Digest username="x"', 'broken'],
  ['an expired nonce', 'Digest username="x", nonce="b"', undefined],
])('stale=true for %s', (_, authorization, expected) => {
  const sent: Header[] = authorization === undefined ? [] : [['authorization', authorization]]
  const stale: Header = [challenge[0], challenge[1].replace('stale=false', 'stale=true')]
  const opinionOf = judged({ sent, status: 401, headers: [plain, stale], body: error(401) })
  expect(opinionOf['auth.challenge-not-stale']).toBe(expected)
})

const enveloped: CallChanges = { query: [['envelope', 'true']] }

test('a 503 needs Retry-After too', () => {
  expect(judged({ status: 503, headers: [plain], body: error(503) })['errors.retry-after']).toBe('broken')
})

test('no input makes the server fail, but 503 is allowed under load', () => {
  const opinionOf = (status: number) =>
    judged({ status, headers: [plain], body: error(status) })['errors.never-500-on-input']
  expect([499, 500, 502, 503, 504].map(opinionOf)).toEqual(['passed', 'broken', 'broken', 'passed', 'broken'])
})

test('an error without a reason is invalid', () => {
  const opinionOf = judged({
    status: 401,
    headers: [plain, challenge],
    body: error(401, { reason: undefined }),
  })
  expect(opinionOf['errors.reason-is-phrase']).toBe('broken')
})

test('finds secrets in headers', () => {
  const headers: Header[] = [plain, ['X-Echo', 'it is top-secret-key']]
  expect(judged({ status: 200, headers, body: '{}' })['errors.no-secret']).toBe('broken')
})

test('a redirection has an undeclared status', () => {
  const opinionOf = (status: number) =>
    judged({ status, headers: [plain], body: '{}' })['errors.status-declared']
  expect([300, 302, 304, 308].map(opinionOf)).toEqual(['broken', 'broken', 'broken', 'broken'])
})

test('an error without a media type is invalid', () => {
  const opinionOf = (headers: readonly Header[]) =>
    judged({ status: 404, headers, body: error(404) })['errors.media-type']
  expect([opinionOf([plain]), opinionOf([])]).toEqual(['passed', 'broken'])
})

test('only a success has the media type of the version', () => {
  expect(judged({ status: 302, headers: [plain], body: '{}' })).not.toHaveProperty([
    'versions.content-type-names-resolved',
  ])
})

test('Vary may name Accept among others, or be *', () => {
  const opinionOf = (value: string) =>
    judged({ status: 200, headers: [vendor, ['Vary', value]], body: '{}' })['versions.vary-accept']
  expect(['Accept-Encoding, accept', '*', 'Accept-Encoding', 'Acceptable'].map(opinionOf)).toEqual([
    ...['passed', 'passed'],
    ...['broken', 'broken'],
  ])
})

test('judges the status inside an envelope, and the HTTP status against it', () => {
  const opinionOf = (
    status: number,
    body: string,
    changes = enveloped,
    operation: OperationId = 'getAlert',
  ) => judged({ operation, status, headers: [status < 400 ? vendor : plain, vary], body, changes })
  expect(opinionOf(200, '{"status":201,"content":{}}')).toMatchObject({
    'errors.success-status': 'broken',
    'envelope.status-kept': 'broken',
  })
  // If the request doesn't ask for an envelope, judges don't look for one.
  for (const query of [[], [['envelope', 'false']]] as const)
    expect(opinionOf(200, '{"status":404,"content":{}}', { query })).not.toHaveProperty([
      'envelope.status-kept',
    ])
  // If a successful response has no body, the envelope becomes its body, so the HTTP status changes from 204 to 200.
  const gone = '{"status":204,"content":{}}'
  expect(opinionOf(200, gone, enveloped, 'deleteAlertConfig')['envelope.status-kept']).toBe('passed')
  expect(opinionOf(204, gone, enveloped, 'deleteAlertConfig')['envelope.status-kept']).toBe('broken')
})

test('extracts a bare array from its envelope', () => {
  const opinionOf = (results: unknown) =>
    judged({
      operation: 'listMatcherFieldNames',
      status: 200,
      headers: [vendor, vary],
      changes: enveloped,
      body: JSON.stringify({ status: 200, results }),
    })['errors.body-valid']
  expect(opinionOf(['TYPE_NAME'])).toBe('passed')
  expect(opinionOf([7])).toBe('broken')
})

test.each([
  ['in any field', (content: string) => `{"status":200,"result":${content}}`, 'passed', 'broken'],
  [
    'next to other objects',
    (content: string) => `{"status":200,"result":${content},"meta":{}}`,
    undefined,
    undefined,
  ],
])('a resource %s of an envelope', (_, wrap, valid, invalid) => {
  const opinionOf = (content: string) =>
    judged({ status: 200, headers: [vendor, vary], body: wrap(content), changes: enveloped })
  expect(opinionOf(example('getAlert'))['errors.body-valid']).toBe(valid)
  expect(opinionOf(example('getAlert'))['errors.body-complete']).toBe(valid)
  expect(opinionOf('{"id":7}')['errors.body-valid']).toBe(invalid)
})

test.each(['content', 'result'])('the field %s of an envelope can contain an error', (name) => {
  const body = `{"status":401,"${name}":${error(401)}}`
  const opinions = judged({ status: 401, headers: [plain, challenge], body, changes: enveloped })
  expect(opinions['errors.body-fits-schema']).toBe('passed')
  expect(opinions['errors.code-in-catalogue']).toBe('passed')
})

test.each(['TRUE', '1'])('a server may treat envelope=%s as true', (value) => {
  const changes = { query: [['envelope', value]] } as const
  const opinionsOn = (body: string) => judged({ status: 200, headers: [vendor, vary], body, changes })
  const opinions = opinionsOn(`{"status":200,"content":${example('getAlert')}}`)
  expect(opinions['errors.body-valid']).toBe('passed')
  expect(opinions['resources.links-array']).toBe('passed')
  expect(opinionsOn(example('getAlert'))['errors.body-valid']).toBe('passed')
  expect(opinionsOn('{"id":7}')['errors.body-valid']).toBe('broken')
})

test('the error schema applies to every status', () => {
  const opinionOf = (changes: Record<string, unknown>) =>
    judged({ status: 418, headers: [plain], body: error(418, changes) })['errors.body-fits-schema']
  expect(opinionOf({})).toBe('passed')
  expect(opinionOf({ detail: 7 })).toBe('broken')
})

test('a body that violates a decided rule is only a decided violation', () => {
  const { judge } = judges.find(({ requirement }) => requirement === 'errors.body-valid') ?? {}
  const cell = api.cell('getAlert', '2023-01-01')
  if (!cell || !judge) throw new TypeError('no such cell or judge')
  const strengthOf = (changes: Record<string, unknown>) => {
    const body = JSON.stringify({ ...JSON.parse(example('getAlert')), ...changes })
    const call = buildCall(cell, { parameters: {}, body: undefined, as: anonymous })
    const request = { method: 'GET', path: '/', headers: [] }
    const response = { status: 200, reason: '', headers: [vendor, vary], body }
    const opinion = judge(judgedExchangeOf(call, { url: '', request, response, milliseconds: 0 }, secrets))
    return typeof opinion === 'object' && opinion.strength
  }
  expect(strengthOf({ id: 7 })).toBe('stated')
  expect(strengthOf({ acknowledgingUsername: 'x'.repeat(300) })).toBe('decided')
})

test('a 405 carries Allow and a 429 Retry-After', () => {
  expect(
    judged({ status: 405, headers: [plain], body: error(405), changes: { offRoute: true } })[
      'errors.method-not-allowed-carries-allow'
    ],
  ).toBe('broken')
  expect(
    judged({ status: 429, headers: [plain, ['Retry-After', '5']], body: error(429) })['errors.retry-after'],
  ).toBe('passed')
  expect(judged({ status: 429, headers: [plain], body: error(429) })['errors.retry-after']).toBe('broken')
})

test('only the token response may contain a secret', () => {
  const opinionOf = (operation: OperationId, body: string) =>
    judged({ operation, status: 200, headers: [plain], body })['errors.no-secret']
  expect(opinionOf('getAlert', '{"a":"top-secret-key"}')).toBe('broken')
  expect(opinionOf('issueToken', '{"access_token":"top-secret-key"}')).toBe('passed')
})

test('the token endpoint has its own errors', () => {
  const opinionOf = (status: number, body: string) =>
    judged({
      operation: 'issueToken',
      status,
      headers: [plain, ['WWW-Authenticate', 'Basic realm="a"']],
      body,
    })
  expect(opinionOf(401, '{"error":"invalid_client","error_description":"no"}')).toMatchObject({
    'issueToken.error-in-catalogue': 'passed',
    'issueToken.error-shape': 'passed',
    'issueToken.basic-challenge': 'passed',
  })
  expect(opinionOf(400, '{"error":"invalid_client"}')).toMatchObject({
    'issueToken.error-in-catalogue': 'broken',
    'issueToken.error-shape': 'broken',
  })
})

test('deprecation headers are present and valid', () => {
  const opinionOf = (headers: readonly Header[]) =>
    judged({ operation: 'acknowledgeAlert', status: 200, headers: [vendor, vary, ...headers], body: '{}' })
  expect(
    opinionOf([
      ['Deprecation', '@1717027200'],
      ['Link', '</a>; rel="successor-version"'],
    ]),
  ).toMatchObject({
    'versions.deprecated-carries-deprecation': 'passed',
    'versions.deprecated-links-successor': 'passed',
  })
  expect(opinionOf([['Deprecation', 'true']])).toMatchObject({
    'versions.deprecated-carries-deprecation': 'broken',
    'versions.deprecated-links-successor': 'broken',
  })
})
