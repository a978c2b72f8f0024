/** The result of a delivery attempt, for logs and metrics. */
export interface ObservedAttempt {
  /**
   * `retry` means that the attempt failed and the server will try again later. `failed` means that the delivery failed
   * permanently.
   */
  readonly outcome: 'delivered' | 'retry' | 'failed'
  readonly url: string
  /** The number of attempts for this delivery so far. */
  readonly attempts: number
  /** The status code or error message of a failed attempt. */
  readonly failure: string
}

/** Counts and logs this process's delivery attempts. */
export interface DeliveryMonitor {
  observe(attempt: ObservedAttempt): void
  counts(): Readonly<Record<ObservedAttempt['outcome'], number>>
}

type MonitorFields = Readonly<Record<string, string | number | undefined>>

interface MonitorLog {
  warn(message: string, fields: MonitorFields): void
  error(message: string, fields: MonitorFields): void
}

/** The maximum number of failing receivers to track, which limits the map's memory usage. */
const trackedLimit = 1000

/**
 * Creates a monitor that logs when a receiver starts to fail, when a receiver recovers, and when a message is dropped.
 */
export function createDeliveryMonitor(log: MonitorLog): DeliveryMonitor {
  const counts = { delivered: 0, retry: 0, failed: 0 }
  // Maps each target to the number of failed attempts since its last success.
  const failing = new Map<string, number>()
  return {
    counts: () => counts,
    observe: ({ outcome, url, attempts, failure }) => {
      counts[outcome] += 1
      const target = targetOf(url)
      const failures = failing.get(target)
      if (outcome === 'delivered') {
        if (failing.delete(target)) log.warn('webhook receiver recovered', { target, failures })
        return
      }
      if (failures === undefined) log.warn('webhook receiver is failing', { target, failure })
      if (failures !== undefined || failing.size < trackedLimit) failing.set(target, (failures ?? 0) + 1)
      if (outcome === 'failed') log.error('webhook dropped', { target, attempts, failure })
    },
  }
}

/** Returns only the origin of the URL, because webhook URLs often contain secrets in the path, query or username. */
function targetOf(url: string): string {
  if (!URL.canParse(url)) return 'an invalid URL'
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
