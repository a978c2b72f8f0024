import type { Eventually } from './dialects/dialect.ts'

/** A lookup with a cache. Use a cached lookup only for data that no other process can change. */
export interface CachedLookup<T> {
  /** Returns a value, and does so synchronously if the value is cached. */
  get(key: string): Eventually<T | undefined>
  /** Clears the cache. Call this method whenever the data changes. */
  clear(): void
}

/** The maximum number of entries. If the cache is full, adding an entry evicts the oldest entry. */
const limit = 10_000

/** Adds a cache to a lookup, unless `useCache` is false. */
export function createCachedLookup<T>(
  useCache: boolean,
  find: (key: string) => Promise<T | undefined>,
): CachedLookup<T> {
  let found = new Map<string, T>()
  const look = async (key: string) => {
    // `clear` replaces the map with a new map.
    // If `clear` is called during a lookup, the value is stored in the old map, which is no longer used.
    const since = found
    const value = await find(key)
    if (value === undefined || !useCache) return value
    const oldest = since.size >= limit ? since.keys().next().value : undefined
    if (oldest !== undefined) since.delete(oldest)
    since.set(key, value)
    return value
  }
  return {
    clear() {
      found = new Map()
    },
    get: (key) => found.get(key) ?? look(key),
  }
}
