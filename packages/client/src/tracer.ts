import { ApiError, ParseError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import { type Observer, shieldObserver } from './observer.ts'

/** The part of an OpenTelemetry span that the client uses. */
export interface SpanLike {
  setAttribute(name: string, value: string | number): unknown
  addEvent(name: string, attributes?: Record<string, string | number>): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
  spanContext(): { traceId: string; spanId: string; traceFlags: number }
}

/** The part of an OpenTelemetry tracer that the client uses. This type avoids a dependency on OpenTelemetry. */
export interface TracerLike {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string | number> }): SpanLike
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR` from the OpenTelemetry API, which have stable values. */
const client = 2
const failed = 2

/**
 * The attribute for the number of retries. According to the semantic conventions, the attribute is set only if there
 * were retries.
 */
const resendCount = 'http.request.resend_count'

/**
 * Creates a span for each call, with an event for each failed attempt, according to the semantic conventions for HTTP
 * clients. Sends the W3C Trace Context header `traceparent`.
 *
 * @example
 * import { trace } from '@opentelemetry/api'
 * const client = createClient({ ...options, observer: createTracer(trace.getTracer('my-app')) })
 */
export function createTracer(tracer: TracerLike): Observer {
  let server = { origin: '', address: '', port: 0 }
  return shieldObserver((context, url) => {
    if (!url.startsWith(`${server.origin}/`)) server = readServer(url)
    const attributes = {
      'http.request.method': context.method,
      'server.address': server.address,
      'server.port': server.port,
      'url.full': url,
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
        const resends = context.attempts > 1 ? { [resendCount]: context.attempts - 1 } : {}
        span.addEvent('attempt failed', { ...resends, 'error.type': typeOf(error) })
      },
      end(error, status = receivedStatus(error, context)) {
        if (status !== undefined) span.setAttribute('http.response.status_code', status)
        if (context.attempts > 1) span.setAttribute(resendCount, context.attempts - 1)
        if (error !== undefined) {
          span.setAttribute('error.type', typeOf(error))
          span.setStatus({ code: failed })
        }
        span.end()
      },
    }
  })
}

/** Reads the server's address and port from a URL. Most URLs have the same origin, so the result is cached. */
function readServer(url: string): {
  readonly origin: string
  readonly address: string
  readonly port: number
} {
  const { origin, protocol, hostname, port } = new URL(url)
  return { origin, address: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/**
 * Returns the status of this call's last response. If the token request failed or the call wasn't sent, the error
 * contains the status of another response.
 */
function receivedStatus(error: unknown, { operationId, attempts }: CallContext): number | undefined {
  const isOwn = error instanceof ApiError || error instanceof ParseError
  return isOwn && attempts > 0 && error.operationId === operationId ? error.status : undefined
}

/**
 * Returns the error's status or name. The semantic conventions require a small number of distinct values for this
 * attribute.
 */
function typeOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.status)
  return error instanceof Error ? error.name : 'Error'
}
