import type { Eventually } from './dialects/dialect.ts'

/** A lookup with a cache, for data that only this process can change. */
export interface CachedLookup<T> {
  /** Synchronous if the value is cached. */
  get(key: string): Eventually<T | undefined>
  /** Call when the data changes. */
  clear(): void
}

/** Maximum number of entries. Above it, the oldest is evicted. */
const limit = 10_000

/** Wraps a lookup. Without `useCache`, it doesn't cache. */
export function createCachedLookup<T>(
  useCache: boolean,
  find: (key: string) => Promise<T | undefined>,
): CachedLookup<T> {
  let found = new Map<string, T>()
  const look = async (key: string) => {
    // If the cache was cleared during the lookup, the value goes to the discarded map, because it may be outdated.
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
