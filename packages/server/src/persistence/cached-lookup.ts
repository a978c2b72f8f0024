import type { Eventually } from './dialects/dialect.ts'

/** A cached lookup. Use it only for data that no other process can change. */
export interface CachedLookup<T> {
  /** Returns a value. If it is cached, returns it synchronously. */
  get(key: string): Eventually<T | undefined>
  /** Clears the cache. Call this method when the data changes. */
  clear(): void
}

/** The maximum number of entries. If there are more, the oldest entry is evicted. */
const limit = 10_000

/** Adds a cache to a lookup. If `useCache` is false, nothing is cached. */
export function createCachedLookup<T>(
  useCache: boolean,
  find: (key: string) => Promise<T | undefined>,
): CachedLookup<T> {
  let found = new Map<string, T>()
  const look = async (key: string) => {
    // If the cache is cleared during the lookup, the value may be outdated and is stored in the discarded map.
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
