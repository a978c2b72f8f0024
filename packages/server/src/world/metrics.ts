import { Histogram, Registry } from 'prom-client'

/** What is counted of a request. */
export interface ObservedRequest {
  readonly method: string
  /** The operation, or `none` for a path that is none of the API. */
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

/** Counts requests, and tells about them in the text format of Prometheus. */
export interface RequestMetrics {
  observe(request: ObservedRequest): void
  text(): Promise<string>
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Builds the metrics of a world. Names and labels are those of OpenTelemetry, as Prometheus writes them. */
export function createRequestMetrics(registry: Registry = new Registry()): RequestMetrics {
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['http_request_method', 'operation_id', 'http_response_status_code'],
    buckets,
    registers: [registry],
  })
  return {
    observe: ({ method, operation, status, seconds }) =>
      duration.observe(
        { http_request_method: method, operation_id: operation, http_response_status_code: status },
        seconds,
      ),
    text: () => registry.metrics(),
  }
}
