/** Thrown if a tool takes too long. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/**
 * Runs work with a time limit.
 *
 * @param begin Starts the work. The signal is aborted on a timeout, so that the work doesn't affect the next
 * measurement.
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
    // Results after the timeout are ignored.
    work.catch(() => {})
  }
}

/** After this many timeouts, a tool is skipped, so that the benchmark ends. */
const maxLate = 3

/** Tolerates a limited number of timeouts for a tool, and counts them. */
export const createRetry = (tell: (text: string) => void) => {
  const counts = new Map<string, number>()
  const late = (name: string): number => counts.get(name) ?? 0
  return {
    late,
    /**
     * Returns the result of the work, or a fallback if the work times out or the tool has already timed out too often.
     */
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
