/** Counts how often requests have read a resource's state, for the transition mode `reads`. */
export interface ReadCounts {
  /** Returns the time when requests had read a state often enough, or undefined if they haven't yet. */
  reachedAt(key: string): number | undefined
  /**
   * Counts a read and then returns the result of `reachedAt`.
   *
   * @param seen The states that this request has already counted.
   */
  count(key: string, wanted: number, now: number, seen: Set<string>): number | undefined
  /** Returns the new entries, which afterwards no longer count as new. */
  drainNew(): ReachedStates
  /** Marks entries as new again. */
  restoreNew(moments: ReachedStates): void
  /** Replaces all entries except new ones. */
  replace(moments: ReachedStates): void
  /** Removes entries after the new time, when the clock is set back. */
  rewind(to: number): void
  clear(): void
}

export type ReachedStates = readonly (readonly [key: string, at: number])[]

/** The maximum number of states with a pending count. If there are more, all counts start again at zero. */
const countsLimit = 10_000

/** The maximum number of entries. If there are more, the oldest entries are evicted and their transitions are lost. */
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
