import type { Eventually } from '../persistence/dialects/dialect.ts'

/** A look-up that remembers what it found, for as long as nobody else can change it. */
export interface Remembered<T> {
  /** At once what is remembered. */
  get(key: string): Eventually<T | undefined>
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
  const look = async (key: string) => {
    const value = await find(key)
    if (value === undefined || !remembers) return value
    const oldest = found.size >= limit ? found.keys().next().value : undefined
    if (oldest !== undefined) found.delete(oldest)
    found.set(key, value)
    return value
  }
  return {
    forget: () => found.clear(),
    get: (key) => found.get(key) ?? look(key),
  }
}
