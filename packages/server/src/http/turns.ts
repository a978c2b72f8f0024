/** Limits the number of requests that start in each event loop turn, so that all connections take turns. */
export interface Turns {
  /** Returns whether another request can start in this turn. */
  start(): boolean
  /** Runs the work in a later turn. Queued work runs in order. */
  queue(work: () => void): void
  /** Call this method whenever a connection is accepted. */
  accepted(): void
}

/**
 * The maximum number of requests that start per turn. Node accepts only one connection per turn, so long turns delay
 * new clients. Without a limit, 200 busy connections would make new clients wait for seconds.
 */
const requestsPerTurn = 32
/**
 * The maximum number of requests that start in a turn in which a connection was accepted, because more connections may
 * be pending.
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
      // New requests must wait until all queued requests have started.
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
