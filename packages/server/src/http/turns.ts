/** Divides the event loop turns between a server's connections. */
export interface Turns {
  /** Returns true if this turn can start another request. */
  start(): boolean
  /** Runs the work in a later turn. Work that was queued first runs first. */
  queue(work: () => void): void
  /** Records that a connection was accepted. Call this method after each accepted connection. */
  accepted(): void
}

/**
 * The maximum number of requests to start in a turn. Node accepts one connection per turn, so long turns
 * delay new clients. With 200 busy connections and no limit, new clients would wait for seconds.
 */
const requestsPerTurn = 32
/**
 * The maximum number of requests to start in a turn that accepted a connection, because more connections may
 * be waiting.
 */
const requestsWhileAccepting = 4

export function createTurns(): Turns {
  let waiting: (() => void)[] = []
  let left = requestsPerTurn
  let isScheduled = false
  let hasAccepted = false
  let isDraining = false
  const schedule = () => {
    if (!isScheduled) setImmediate(next)
    isScheduled = true
  }
  const next = () => {
    isScheduled = false
    left = hasAccepted ? requestsWhileAccepting : requestsPerTurn
    hasAccepted = false
    const batch = waiting.slice(0, left)
    waiting = waiting.slice(left)
    isDraining = true
    for (const work of batch) work()
    isDraining = false
    if (waiting.length > 0) schedule()
  }
  return {
    start: () => {
      schedule()
      // Queued requests start first.
      const may = left > 0 && (isDraining || waiting.length === 0)
      if (may) left -= 1
      return may
    },
    queue: (work) => {
      waiting.push(work)
      schedule()
    },
    accepted: () => {
      hasAccepted = true
      schedule()
    },
  }
}
