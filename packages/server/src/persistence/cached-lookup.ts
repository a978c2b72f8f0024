import type { Eventually } from './dialects/dialect.ts'

/** A lookup with a cache. Use it only for data that no other process can change. */
export interface CachedLookup<T> {
  /** Returns a value, synchronously if it is cached. */
  get(key: string): Eventually<T | undefined>
  /** Clears the cache. Call this method when the data changes. */
  clear(): void
}

/** The maximum number of entries. If there are more, the oldest entry is evicted. */
const limit = 10_000

/** Adds a cache to a lookup, unless `useCache` is false. */
export function createCachedLookup<T>(
  useCache: boolean,
  find: (key: string) => Promise<T | undefined>,
): CachedLookup<T> {
  let found = new Map<string, T>()
  const look = async (key: string) => {
    // `clear` replaces the map. If that happens during the lookup, the possibly outdated value goes into the old map
    // and is never used.
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
