import { ApiError } from './errors.ts'
import type { Observer } from './observer.ts'

/** The part of an OpenTelemetry span that the client uses. */
export interface SpanLike {
  setAttribute(name: string, value: string | number): unknown
  addEvent(name: string, attributes?: Record<string, string | number>): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
  spanContext(): { traceId: string; spanId: string; traceFlags: number }
}

/** The part of an OpenTelemetry tracer that the client uses. Doesn't import OpenTelemetry. */
export interface TracerLike {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string> }): SpanLike
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR` of the OpenTelemetry API. Their values are stable. */
const client = 2
const failed = 2

/**
 * Creates a span for each call, with an event for each failed attempt, following the semantic conventions for HTTP
 * clients. Sends the `traceparent` header of W3C Trace Context.
 *
 * @example
 * import { trace } from '@opentelemetry/api'
 * const client = createClient({ ...options, observer: createTracer(trace.getTracer('my-app')) })
 */
export function createTracer(tracer: TracerLike): Observer {
  return (context) => {
    const attributes = {
      'http.request.method': context.method,
      'url.template': context.path,
      'svc.operation': context.operationId,
      'svc.version': context.version,
    }
    const span = tracer.startSpan(`${context.method} ${context.path}`, { kind: client, attributes })
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      headers: { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` },
      attempt(error) {
        if (error === undefined) return
        span.addEvent('attempt failed', {
          'http.request.resend_count': context.attempts - 1,
          'error.type': typeOf(error),
        })
      },
      end(error) {
        span.setAttribute('http.request.resend_count', Math.max(0, context.attempts - 1))
        if (error !== undefined) {
          span.setAttribute('error.type', typeOf(error))
          span.setStatus({ code: failed })
        }
        span.end()
      },
    }
  }
}

/** The status or the error's name. The conventions ask for few distinct values. */
function typeOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.status)
  return error instanceof Error ? error.name : 'Error'
}
