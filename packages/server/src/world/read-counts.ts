/** How often the states of resources were seen, and when that had been often enough. */
export interface ReadCounts {
  /** When a state had been seen often enough; undefined if it has not. */
  reachedAt(key: string): number | undefined
  /** The same once it has been seen now. @param seen the states that this request has seen, which count once. */
  count(key: string, wanted: number, now: number, seen: Set<string>): number | undefined
  /** The moments that nobody has taken yet. */
  drainNew(): ReachedStates
  /** Takes them for new again. */
  restoreNew(moments: ReachedStates): void
  /** Puts what was kept in place of all moments that were taken. */
  replace(moments: ReachedStates): void
  /** Called when the clock went back to a moment. */
  rewind(to: number): void
  clear(): void
}

export type ReachedStates = readonly (readonly [key: string, at: number])[]

/** So many states are counted at once: the counts of more begin anew. */
const countsLimit = 10_000

/** So many moments are known: of more, the oldest are forgotten, and what they led to with them. */
export const reachedStatesLimit = 100_000

export function createReadCounts(): ReadCounts {
  const counts = new Map<string, number>()
  const reached = new Map<string, number>()
  let fresh = new Map<string, number>()
  const reach = (key: string, at: number) => {
    const oldest = reached.size >= reachedStatesLimit ? reached.keys().next().value : undefined
    if (oldest !== undefined) reached.delete(oldest)
    reached.set(key, at)
  }
  const clear = () => {
    for (const known of [counts, reached, fresh]) known.clear()
  }
  return {
    reachedAt: (key) => reached.get(key),
    count: (key, wanted, now, seen) => {
      const at = reached.get(key)
      if (at !== undefined || seen.has(key)) return at
      seen.add(key)
      const count = (counts.get(key) ?? 0) + 1
      if (count <= wanted) {
        if (counts.size >= countsLimit) counts.clear()
        counts.set(key, count)
        return undefined
      }
      counts.delete(key)
      fresh.set(key, now)
      reach(key, now)
      return now
    },
    drainNew: () => {
      const taken = [...fresh]
      fresh = new Map()
      return taken
    },
    restoreNew: (moments) => {
      fresh = new Map([...moments, ...fresh])
    },
    replace: (moments) => {
      reached.clear()
      for (const [key, at] of [...moments, ...fresh]) reach(key, at)
    },
    rewind: (to) => {
      for (const known of [reached, fresh]) for (const [key, at] of known) if (at > to) known.delete(key)
    },
    clear,
  }
}
