import * as api from '@opentelemetry/api'
import { expect, it, onTestFinished, vi } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { UnavailableError } from '../persistence/database.ts'
import { createTracing } from './tracing.ts'

interface Recorded {
  readonly name: string
  readonly attributes: Record<string, unknown>
  readonly parent: string | undefined
  ended: boolean
}

/** Registers a minimal OpenTelemetry provider that records all spans. */
function recordSpans(): Recorded[] {
  const spans: Recorded[] = []
  const tracer = (): api.Tracer => {
    const startSpan = (name: string, options: api.SpanOptions = {}, context = api.context.active()) => {
      const parent = api.trace.getSpanContext(context)?.traceId
      const recorded: Recorded = { name, attributes: { ...options.attributes }, parent, ended: false }
      spans.push(recorded)
      return spanOver(recorded)
    }
    const startActiveSpan = (name: string, ...rest: unknown[]) => {
      const [options, context, work] = rest
      return Object(work)(startSpan(name, Object(options), Object(context)))
    }
    return { startSpan, startActiveSpan: Object(startActiveSpan) }
  }
  api.trace.setGlobalTracerProvider({ getTracer: tracer })
  api.propagation.setGlobalPropagator({
    inject: () => {},
    fields: () => ['traceparent'],
    extract: (context, carrier) => {
      const [, traceId = '', spanId = ''] = String(Object(carrier).traceparent).split('-')
      return api.trace.setSpanContext(context, { traceId, spanId, traceFlags: 1 })
    },
  })
  onTestFinished(() => {
    api.trace.disable()
    api.propagation.disable()
  })
  return spans
}

function spanOver(recorded: Recorded): api.Span {
  const span = api.trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 })
  return Object.assign(span, {
    isRecording: () => true,
    setAttribute: (name: string, value: unknown) => {
      recorded.attributes[name] = value
      return span
    },
    setStatus: () => span,
    end: () => {
      recorded.ended = true
    },
  })
}

it('traces a request with its traceparent, without query or secrets', async () => {
  const spans = recordSpans()
  const server = await startChecked()
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await server.ask(`/groups/${projectId}/alerts?pageNum=1`, { headers: { traceparent } })
  await server.stop()
  const span = spans.find(({ name }) => name !== 'probe')
  expect(span).toMatchObject({ parent: 'a'.repeat(32), ended: true })
  expect(span?.name).toBe('GET /api/svc/v2/groups/{groupId}/alerts')
  expect(span?.attributes).toMatchObject({
    'http.response.status_code': 200,
    'url.path': `/api/svc/v2/groups/${projectId}/alerts`,
    'svc.operation_id': 'listAlerts',
  })
  expect(JSON.stringify(spans)).not.toMatch(/pageNum|Digest/)
})

it('records the method as sent, and traces a request during a database outage', async () => {
  const spans = recordSpans()
  const lines: string[] = []
  const server = await startChecked({ logLevel: 'info', writeLog: (text) => lines.push(text) })
  await server.ask(`/groups/${projectId}/alerts`, { method: 'HEAD' })
  const moment = vi.spyOn(server.world.clock, 'worldTime').mockRejectedValue(new UnavailableError('gone'))
  const refused = await fetch(`${server.url}/api/svc/v1.0/groups/${projectId}/alertConfigs`)
  moment.mockRestore()
  expect(refused.status).toBe(503)
  const metrics = (await server.control('GET', '/metrics')).text
  await server.stop()
  const [head, gone] = spans.filter(({ name }) => name !== 'probe')
  expect([head?.name, head?.attributes['http.request.method']]).toEqual([
    'HEAD /api/svc/v2/groups/{groupId}/alerts',
    'HEAD',
  ])
  expect(gone).toMatchObject({
    ended: true,
    attributes: { 'svc.operation_id': 'listAlertConfigs', 'http.response.status_code': 503 },
  })
  expect(metrics).toMatch(/operation_id="listAlertConfigs",http_response_status_code="503"/)
  const line =
    lines
      .join('')
      .split('\n')
      .find((one) => one.includes('"status":503')) ?? '{}'
  expect(JSON.parse(line).operationId).toBe('listAlertConfigs')
})

it('costs nothing without a provider, or without the package', async () => {
  const untraced = await createTracing(async () => undefined)
  expect(await createTracing(async () => api)).toBe(untraced)
})
