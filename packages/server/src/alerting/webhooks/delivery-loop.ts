/** Work that is begun again and again. */
export interface Loop {
  /** Begins it soon: there may be something to do. */
  wake(): void
  /** Begins it no more. */
  stop(): void
}

/**
 * Milliseconds that are left to who has just changed something to ask for the work himself: he is told how much it was,
 * and would be told otherwise by chance.
 */
const grace = 200

/** Begins something each so many milliseconds, and as soon after a kick, without keeping the process alive for it. */
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
      // Who changes something all the time must not put it off for ever.
      latest ??= now + interval - grace
      arm(Math.max(0, Math.min(grace, latest - now)))
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
