import type { Call } from './call.ts'
import type { Route } from './route-table.ts'

/** Follows the work on a request for which a route was found. */
export type TraceRequest = <T>(route: Route, call: Call, work: () => Promise<T>) => Promise<T>

const untraced: TraceRequest = (_, __, work) => work()

type Api = typeof import('@opentelemetry/api')

const packageName = '@opentelemetry/api'

/**
 * Spans for requests, by the OpenTelemetry API, if whoever runs the server has installed it and has registered a
 * provider before (`node --import ./telemetry.mjs …`). Without one there is nothing to follow and nothing to pay.
 */
export async function createTracing(load: () => Promise<Api | undefined> = loadApi): Promise<TraceRequest> {
  const api = await load()
  if (!api || !hasProvider(api)) return untraced
  const { context, propagation, SpanKind, SpanStatusCode, trace } = api
  const tracer = trace.getTracer('@svc-admin/server')
  return async (route, { id, method, target, request, response }, work) => {
    const parent = propagation.extract(context.active(), request.headers)
    const attributes = {
      // As it was sent: HEAD has the route of GET.
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
      // When the response is out: a refusal gets its status after the work has thrown.
      response.once('close', end)
      return work()
    })
  }
}

/** Where the API keeps what was registered, of any of its releases 1.x. */
const registered = Symbol.for('opentelemetry.js.api.1')

async function loadApi(): Promise<Api | undefined> {
  // Its fifty files are read only where somebody has registered something.
  if (!(registered in globalThis)) return undefined
  try {
    const api: Api = await import(packageName)
    return api
  } catch {
    return undefined
  }
}

/** Whether spans are recorded by anybody: the API alone hands out one that does nothing. */
function hasProvider({ trace }: Api): boolean {
  const probe = trace.getTracer('@svc-admin/server').startSpan('probe')
  const recording = probe.isRecording()
  probe.end()
  return recording
}
