import { expect, test } from 'vitest'
import { path, rejection, response, setup } from '../test/setup.ts'
import { type Responder, unavailable, withFaults } from './testing/index.ts'
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
          'url.template': '/groups/{groupId}/alerts/{alertId}',
          'svc.operation': 'getAlert',
          'svc.version': '2023-01-01',
        },
      },
    ],
    ['event', 'attempt failed', { 'http.request.resend_count': 0, 'error.type': '503' }],
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
