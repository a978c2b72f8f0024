import type { Call } from './call.ts'
import type { Route } from './route-table.ts'

/** Processes a routed request within a trace span. */
export type TraceRequest = <T>(route: Route, call: Call, work: () => Promise<T>) => Promise<T>

const untraced: TraceRequest = (_, __, work) => work()

type Api = typeof import('@opentelemetry/api')

const packageName = '@opentelemetry/api'

/**
 * Creates spans with the OpenTelemetry API. To enable tracing, install the API and register a provider before the
 * server starts (`node --import ./telemetry.mjs …`). Tracing has no overhead if it is disabled.
 */
export async function createTracing(load: () => Promise<Api | undefined> = loadApi): Promise<TraceRequest> {
  const api = await load()
  if (!api || !hasProvider(api)) return untraced
  const { context, propagation, SpanKind, SpanStatusCode, trace } = api
  const tracer = trace.getTracer('@svc-admin/server')
  return async (route, { id, method, target, request, response }, work) => {
    const parent = propagation.extract(context.active(), request.headers)
    const attributes = {
      // The client's method can differ from the route's method, because GET routes also handle HEAD requests.
      'http.request.method': method,
      'http.route': route.path,
      'url.path': target.split('?')[0] ?? '',
      'svc.operation_id': route.row.id,
      'svc.request_id': id,
    }
    const options = { kind: SpanKind.SERVER, attributes }
    return tracer.startActiveSpan(`${method} ${route.path}`, options, parent, async (span) => {
      const end = () => {
        span.setAttribute('http.response.status_code', response.statusCode)
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
      // End the span on `close`, because the error handler doesn't set the status until `work` throws.
      response.once('close', end)
      return work()
    })
  }
}

/** OpenTelemetry API 1.x stores the registered provider under this key. */
const registered = Symbol.for('opentelemetry.js.api.1')

async function loadApi(): Promise<Api | undefined> {
  // Load the API only if a provider may be registered, because loading its fifty files takes time.
  if (!(registered in globalThis)) return undefined
  try {
    const api: Api = await import(packageName)
    return api
  } catch {
    return undefined
  }
}

/** Returns whether a provider records spans. Without a provider, the API's spans do nothing. */
function hasProvider({ trace }: Api): boolean {
  const probe = trace.getTracer('@svc-admin/server').startSpan('probe')
  const recording = probe.isRecording()
  probe.end()
  return recording
}
