/** Work that is done again and again, one run at a time. */
export interface Loop {
  /** Runs now, or once more after the run that is going on. */
  kick(): void
  /** Ends it; resolves when nothing runs any more. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** Milliseconds between two runs. */
  readonly interval: number
  readonly run: () => Promise<unknown>
  /** Told of a run that failed; the next one tries again. */
  readonly failed: (error: unknown) => void
}

/** Starts to do something regularly, without keeping the process alive for it. */
export function startLoop({ interval, run, failed }: LoopOptions): Loop {
  let running: Promise<void> | undefined
  let again = false
  let stopped = false
  const round = async () => {
    do {
      again = false
      await run().catch(failed)
    } while (again && !stopped)
    running = undefined
  }
  const kick = () => {
    if (stopped) return
    if (running) again = true
    else running = round()
  }
  const timer = setInterval(() => {
    if (!running) kick()
  }, interval).unref()
  return {
    kick,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
