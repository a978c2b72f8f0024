/** The result of a delivery attempt, as shown to operators. */
export interface ObservedAttempt {
  /** `retry` means that the attempt failed and will be retried, and `failed` that the delivery failed permanently. */
  readonly outcome: 'delivered' | 'retry' | 'failed'
  readonly url: string
  /** The number of attempts for this delivery so far. */
  readonly attempts: number
  /** The status code or error message if the attempt failed. */
  readonly failure: string
}

/** Counts and logs the process's delivery attempts. */
export interface DeliveryMonitor {
  observe(attempt: ObservedAttempt): void
  counts(): Readonly<Record<ObservedAttempt['outcome'], number>>
}

type MonitorFields = Readonly<Record<string, string | number | undefined>>

interface MonitorLog {
  warn(message: string, fields: MonitorFields): void
  error(message: string, fields: MonitorFields): void
}

/** The maximum number of failing receivers to track. Without a limit, the map could fill the memory. */
const trackedLimit = 1000

/**
 * Creates a monitor that logs each receiver's first failure and its recovery, and each message that is dropped after
 * its last attempt.
 */
export function createDeliveryMonitor(log: MonitorLog): DeliveryMonitor {
  const counts = { delivered: 0, retry: 0, failed: 0 }
  // The number of failures since the last success, by target.
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

/** Returns only the URL's origin, because webhook URLs often contain secrets in the path, query or user name. */
function targetOf(url: string): string {
  if (!URL.canParse(url)) return 'an invalid URL'
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
