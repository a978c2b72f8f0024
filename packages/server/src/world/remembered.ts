/** A look-up that remembers what it found, for as long as nobody else can change it. */
export interface Remembered<T> {
  get(key: string): Promise<T | undefined>
  /** Called when something changes. */
  forget(): void
}

/** Beyond this many the oldest are looked up again. */
const limit = 10_000

/** Wraps a look-up; with `remembers` false it only looks up. */
export function createRemembered<T>(
  remembers: boolean,
  find: (key: string) => Promise<T | undefined>,
): Remembered<T> {
  const found = new Map<string, T>()
  return {
    forget: () => found.clear(),
    get: async (key) => {
      const known = found.get(key)
      if (known) return known
      const value = await find(key)
      if (value === undefined || !remembers) return value
      const oldest = found.size >= limit ? found.keys().next().value : undefined
      if (oldest !== undefined) found.delete(oldest)
      found.set(key, value)
      return value
    },
  }
}
