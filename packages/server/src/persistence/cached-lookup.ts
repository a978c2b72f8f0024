import type { Eventually } from './dialects/dialect.ts'

/** A cached lookup, for data that only this process can change. */
export interface CachedLookup<T> {
  /** Returns synchronously if the value is cached. */
  get(key: string): Eventually<T | undefined>
  /** Clears the cache. Call this when the data changes. */
  clear(): void
}

/** The maximum number of entries. Beyond this limit, the oldest entry is evicted. */
const limit = 10_000

/** Wraps a lookup. Results are cached only if `useCache` is true. */
export function createCachedLookup<T>(
  useCache: boolean,
  find: (key: string) => Promise<T | undefined>,
): CachedLookup<T> {
  let found = new Map<string, T>()
  const look = async (key: string) => {
    // If the cache is cleared during the lookup, the value may be outdated, so it is stored in the discarded map.
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
