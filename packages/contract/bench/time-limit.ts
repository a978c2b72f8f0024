/** Somebody looked for longer than there was time. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/**
 * What work comes to within a time.
 *
 * @param begin begins it; the signal is aborted when the time is over, so that nothing goes on beside what comes next.
 * @throws TooSlow when it is not done by then.
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
    // Whatever comes of it later concerns nobody.
    work.catch(() => {})
  }
}

/** Whoever was too slow this often is not waited for again: a bench ends. */
const maxLate = 3

/** Bears contenders that are too slow, for a while, and counts how often they were. */
export const createRetry = (tell: (text: string) => void) => {
  const counts = new Map<string, number>()
  const late = (name: string): number => counts.get(name) ?? 0
  return {
    late,
    /** What a contender's work comes to, or something instead when it is too slow, or was too often. */
    async of<T>(name: string, instead: T, work: () => Promise<T>): Promise<T> {
      if (late(name) >= maxLate) return instead
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TooSlow)) throw error
        counts.set(name, late(name) + 1)
        const out = late(name) >= maxLate ? ', and looks at nothing more' : ''
        tell(`${name}: too slow (${error.message})${out}`)
        return instead
      }
    },
  }
}
