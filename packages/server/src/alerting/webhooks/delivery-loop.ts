/** A task that runs at regular intervals. */
export interface Loop {
  /**
   * Schedules an additional run of the task after a short delay. Call this method when a delivery may have become due.
   */
  wake(): void
  stop(): void
}

/**
 * Number of milliseconds to wait after a change. During this time, a client can trigger the delivery explicitly to get
 * a predictable number of attempts.
 */
const grace = 200

/** Runs a task at regular intervals and shortly after each call to `wake`. The timer doesn't keep the process alive. */
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
      // Limit the total wait, because frequent changes could otherwise postpone the task indefinitely.
      latest ??= now + interval - grace
      arm(Math.max(0, Math.min(grace, latest - now)))
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
