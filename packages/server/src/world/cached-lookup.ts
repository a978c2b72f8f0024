import type { Eventually } from '../persistence/dialects/dialect.ts'

/** A look-up that remembers what it found, for as long as nobody else can change it. */
export interface CachedLookup<T> {
  /** At once what is remembered. */
  get(key: string): Eventually<T | undefined>
  /** Called when something changes. */
  clear(): void
}

/** Beyond this many the oldest are looked up again. */
const limit = 10_000

/** Wraps a look-up; with `remembers` false it only looks up. */
export function createCachedLookup<T>(
  useCache: boolean,
  find: (key: string) => Promise<T | undefined>,
): CachedLookup<T> {
  let found = new Map<string, T>()
  const look = async (key: string) => {
    // What was looked up before something changed is told, but not remembered: it may be of the time before.
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
