/** Counts how often requests read the state of a resource, for the transition mode `reads`. */
export interface ReadCounts {
  /** Returns the time at which a state had been read often enough. Returns undefined if that hasn't happened yet. */
  reachedAt(key: string): number | undefined
  /**
   * Counts a read, and then returns the same as `reachedAt`.
   *
   * @param seen The states that were already counted for this request.
   */
  count(key: string, wanted: number, now: number, seen: Set<string>): number | undefined
  /** Returns the new entries. They aren't new anymore afterwards. */
  drainNew(): ReachedStates
  /** Marks entries as new again. */
  restoreNew(moments: ReachedStates): void
  /** Replaces all entries except the new ones. */
  replace(moments: ReachedStates): void
  /** Removes entries that are later than the given time, after the clock was set back. */
  rewind(to: number): void
  clear(): void
}

export type ReachedStates = readonly (readonly [key: string, at: number])[]

/** The maximum number of states whose reads are being counted. If there are more, all counts restart at zero. */
const countsLimit = 10_000

/**
 * The maximum number of entries. If there are more, the oldest ones are evicted, and the resources return to their
 * earlier states.
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
