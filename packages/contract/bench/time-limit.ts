export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/**
 * Runs a function with a time limit.
 *
 * @param begin Starts the work and receives an abort signal. A timeout aborts the signal so that unfinished work
 *   doesn't slow down the next measurement.
 * @throws TooSlow on a timeout.
 */
export const within = async <T>(
  milliseconds: number,
  begin: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const over = new AbortController()
  const work = begin(over.signal)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      over.abort()
      reject(new TooSlow(`${milliseconds / 1000} s`))
    }, milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // Without this handler, a failure after the timeout would be an unhandled rejection.
    work.catch(() => {})
  }
}

/** To keep the benchmark short, a tool is skipped after this many timeouts. */
const maxLate = 3

/** Counts each tool's timeouts, and skips tools that time out too often. */
export const createRetry = (tell: (text: string) => void) => {
  const counts = new Map<string, number>()
  const late = (name: string): number => counts.get(name) ?? 0
  return {
    late,
    /** Returns the result of `work`. If `work` times out or the tool is being skipped, returns the fallback. */
    async of<T>(name: string, instead: T, work: () => Promise<T>): Promise<T> {
      if (late(name) >= maxLate) return instead
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TooSlow)) throw error
        counts.set(name, late(name) + 1)
        const out = late(name) >= maxLate ? ', skipped from now on' : ''
        tell(`${name}: too slow (${error.message})${out}`)
        return instead
      }
    },
  }
}
