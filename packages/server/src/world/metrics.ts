/** The data from a request that the metrics use. */
export interface ObservedRequest {
  readonly method: string
  /** The operation, or `none` if no route matched. */
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

/** Counts requests and exports the counts in the Prometheus text format. */
export interface RequestMetrics {
  observe(request: ObservedRequest): void
  text(): Promise<string>
}

const name = 'http_server_request_duration_seconds'
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The counters for each combination of method, operation and status. */
interface Series {
  readonly labels: string
  /**
   * The number of requests in each bucket. The last element counts requests that are slower than the limit of every
   * bucket. The counts aren't cumulative.
   */
  readonly counts: number[]
  sum: number
}

/**
 * Creates a world's metrics. `others` returns text to prepend to the metrics. Names and labels follow the OpenTelemetry
 * conventions for Prometheus. The metrics don't use a library, because this code runs for every request and must be
 * fast.
 */
export function createRequestMetrics(others: () => Promise<string> = async () => ''): RequestMetrics {
  const series = new Map<string, Map<string, Series[]>>()
  return {
    observe: ({ method, operation, status, seconds }) => {
      const byMethod = series.get(operation) ?? new Map<string, Series[]>()
      if (byMethod.size === 0) series.set(operation, byMethod)
      const byStatus = byMethod.get(method) ?? []
      if (byStatus.length === 0) byMethod.set(method, byStatus)
      byStatus[status] ??= createSeries(method, operation, status)
      const one = byStatus[status]
      let bucket = 0
      while (seconds > (buckets[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
      one.counts[bucket] = (one.counts[bucket] ?? 0) + 1
      one.sum += seconds
    },
    text: async () => {
      const all = [...series.values()].flatMap((byMethod) => [...byMethod.values()])
      const lines = all.flatMap((byStatus) => byStatus.flatMap(linesOf))
      const head = [`# HELP ${name} Duration of HTTP requests`, `# TYPE ${name} histogram`]
      return `${await others()}${[...head, ...lines].join('\n')}\n`
    },
  }
}

function createSeries(method: string, operation: string, status: number): Series {
  const labels = `http_request_method="${method}",operation_id="${operation}",http_response_status_code="${status}"`
  return { labels, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 }
}

function linesOf({ labels, counts, sum }: Series): string[] {
  let total = 0
  const cumulated = counts.map((count, index) => {
    total += count
    return `${name}_bucket{le="${buckets[index] ?? '+Inf'}",${labels}} ${total}`
  })
  return [...cumulated, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`]
}
