/** Counts how often requests read a resource's state, for the `reads` transition mode. */
export interface ReadCounts {
  /**
   * Returns the time when a state reached the required number of reads, or undefined if it hasn't reached this number
   * yet.
   */
  reachedAt(key: string): number | undefined
  /**
   * Counts a read and returns the result of `reachedAt`.
   *
   * @param seen The states already counted for this request.
   */
  count(key: string, wanted: number, now: number, seen: Set<string>): number | undefined
  /** Returns the new entries and marks them as no longer new. */
  drainNew(): ReachedStates
  /** Marks entries as new again. */
  restoreNew(moments: ReachedStates): void
  /** Replaces all entries except new entries. */
  replace(moments: ReachedStates): void
  /** After the clock is set back, removes entries that are later than the given time. */
  rewind(to: number): void
  clear(): void
}

export type ReachedStates = readonly (readonly [key: string, at: number])[]

/** The maximum number of states with a read count. If the limit is reached, all counts restart at zero. */
const countsLimit = 10_000

/**
 * The maximum number of entries. If the limit is reached, the oldest entries are evicted, and the resources return to
 * their earlier states.
 */
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
      const drained = [...fresh]
      fresh = new Map()
      return drained
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
