/** A task that runs at regular intervals. */
export interface Loop {
  /** Runs the task soon. Call this when a delivery may have become due. */
  wake(): void
  stop(): void
}

/**
 * The number of milliseconds to wait after a change, so that a client can trigger the delivery itself and get a
 * predictable count.
 */
const grace = 200

/**
 * Runs a task at regular intervals, and also soon after each call to `wake`. The timer doesn't keep the process alive.
 */
export function startLoop(interval: number, begin: () => void): Loop {
  let stopped = false
  let latest: number | undefined
  let timer: NodeJS.Timeout | undefined
  const arm = (wait: number) => {
    clearTimeout(timer)
    timer = setTimeout(run, wait).unref()
  }
  const run = () => {
    latest = undefined
    arm(interval)
    begin()
  }
  arm(interval)
  return {
    wake: () => {
      if (stopped) return
      const now = performance.now()
      // Don't restart a running timer. Otherwise, frequent changes would postpone the task again and again.
      latest ??= now + interval - grace
      arm(Math.max(0, Math.min(grace, latest - now)))
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
