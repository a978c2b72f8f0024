/** Distributes the event loop turns among the connections of a server. */
export interface Turns {
  /** Returns true if another request may start in this turn. */
  start(): boolean
  /** Runs the work in a later turn, first in, first out. */
  queue(work: () => void): void
  /** Call this after a connection is accepted. */
  accepted(): void
}

/**
 * The maximum number of requests that start in a turn. Node accepts one connection per turn, so long turns make new
 * clients wait longer. With 200 busy connections and no limit, they would wait for seconds.
 */
const requestsPerTurn = 32
/**
 * The maximum number of requests that start in a turn with a new connection, because more connections may be waiting.
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
      // Requests in the queue come first.
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
