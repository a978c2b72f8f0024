import { expect, test } from 'vitest'
import { alertId, baseUrl, groupId, path, rejection, response, setup } from '../test/setup.ts'
import { htmlPage, type Responder, rateLimited, refused, unavailable, withFaults } from './testing/index.ts'
import { createTracer, type SpanLike } from './tracer.ts'

function traced(respond: Responder) {
  const seen: unknown[] = []
  const span: SpanLike = {
    setAttribute: (name, value) => seen.push(['attribute', name, value]),
    addEvent: (name, attributes) => seen.push(['event', name, attributes]),
    setStatus: (status) => seen.push(['status', status]),
    end: () => seen.push(['end']),
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  }
  const startSpan = (name: string, options: unknown): SpanLike => {
    seen.push(['start', name, options])
    return span
  }
  return { seen, ...setup(respond, { observer: createTracer({ startSpan }) }) }
}

test('creates one span per call, with an event for each failed attempt', async () => {
  const { client, clock, seen } = traced(withFaults([unavailable()], () => response({})))
  await clock.settle(client.getAlert(path))
  expect(seen).toEqual([
    [
      'start',
      'GET /groups/{groupId}/alerts/{alertId}',
      {
        kind: 2,
        attributes: {
          'http.request.method': 'GET',
          'server.address': 'cloud.example.com',
          'server.port': 443,
          'url.full': `${baseUrl}/api/svc/v2/groups/${groupId}/alerts/${alertId}`,
          'url.template': '/groups/{groupId}/alerts/{alertId}',
          'svc.operation': 'getAlert',
          'svc.version': '2023-01-01',
        },
      },
    ],
    ['event', 'attempt failed', { 'error.type': '503' }],
    ['attribute', 'http.response.status_code', 200],
    ['attribute', 'http.request.resend_count', 1],
    ['end'],
  ])
})

test('ends the span of a failed call with an error', async () => {
  const { client, clock, seen } = traced(unavailable())
  await clock.settle(rejection(client.getAlert(path)))
  expect(seen.slice(-3)).toEqual([['attribute', 'error.type', '503'], ['status', { code: 2 }], ['end']])
})

test('sends the traceparent header', async () => {
  const { client, requests } = traced(() => response({}))
  await client.getAlert(path)
  expect(requests[0]?.headers.get('traceparent')).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
})

const attributesOf = (seen: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(
    seen.flatMap((each) => (Array.isArray(each) && each[0] === 'attribute' ? [each.slice(1)] : [])),
  )

test.each([
  ['a success', () => response({}), { 'http.response.status_code': 200 }],
  ['an error', refused('RESOURCE_NOT_FOUND'), { 'http.response.status_code': 404, 'error.type': '404' }],
  ['an unreadable page', htmlPage(), { 'http.response.status_code': 200, 'error.type': 'ParseError' }],
  [
    'no response',
    () => new TypeError('reset'),
    { 'http.request.resend_count': 2, 'error.type': 'NetworkError' },
  ],
])('has the status of %s, and no count without retries', async (_, respond, expected) => {
  const { client, clock, seen } = traced(respond)
  await clock.settle(client.getAlert(path).catch(() => undefined))
  expect(attributesOf(seen)).toEqual(expected)
})

test('has no status of a response that never came', async () => {
  const { client, seen } = traced(rateLimited(600))
  await rejection(client.getAlert(path))
  seen.length = 0
  await rejection(client.getAlert(path))
  expect(attributesOf(seen)).toEqual({ 'error.type': '429' })
})

test('has the address of the server for invalid arguments too', async () => {
  const { client, seen } = traced(() => response({}))
  await rejection(client.getAlert({ ...path, alertId: '' }))
  expect(JSON.stringify(seen[0])).toContain('"server.address":"cloud.example.com"')
  expect(seen.at(-1)).toEqual(['end'])
})
