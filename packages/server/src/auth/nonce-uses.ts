import type { RealTime } from '../domain/injected.ts'
import type { Database } from '../persistence/database.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import { nonceUses } from '../persistence/nonces.ts'
import { clockSkew } from './nonce.ts'

/** Tracks the counts used with each nonce to reject repeated requests. */
export interface NonceUses {
  record(use: NonceUse): Eventually<NonceUseResult>
  /** Clears the stored counts. Call this method when all nonces become invalid. */
  clear(): void
}

/**
 * - `first`: The count is new for this nonce.
 * - `repeated`: The count was used before, is too low to check, or is zero.
 * - `evicted`: The server no longer stores the counts for this nonce, so it can't detect repeated counts.
 */
export type NonceUseResult = 'first' | 'repeated' | 'evicted'

export interface NonceUse {
  readonly nonce: string
  readonly count: number
  readonly issuedAt: number
  readonly expiresAt: number
  readonly now: number
}

/**
 * The maximum amount by which a count can be lower than the highest count for the same nonce. Lower counts must be
 * accepted, because concurrent requests can arrive out of order.
 */
const windowSize = 1024
const nonceLimit = 10_000

/** Tracks counts in memory for a world that is served by only one process. */
export const usesInMemory = (): NonceUses => inMemory(nonceLimit)

/** Tracks the counts of up to `limit` nonces with a sliding window, as described in RFC 4303 §3.4.3. */
export function inMemory(limit: number): NonceUses {
  const windows = new Map<string, Window>()
  // Counts for nonces issued at or before this time may have been evicted.
  let forgottenUpTo = Number.NEGATIVE_INFINITY
  const windowOf = ({ nonce, issuedAt, expiresAt, now }: NonceUse): Window | undefined => {
    const known = windows.get(nonce)
    if (known) return known
    if (issuedAt <= forgottenUpTo) return undefined
    for (const [other, window] of windows) {
      if (window.expiresAt > now && windows.size < limit) break
      windows.delete(other)
      if (window.expiresAt > now) forgottenUpTo = Math.max(forgottenUpTo, window.issuedAt)
    }
    const fresh = createWindow(issuedAt, expiresAt)
    windows.set(nonce, fresh)
    return fresh
  }
  return {
    record: (use) => {
      const window = windowOf(use)
      if (!window) return 'evicted'
      return window.take(use.count) ? 'first' : 'repeated'
    },
    clear: () => {
      windows.clear()
      forgottenUpTo = Number.NEGATIVE_INFINITY
    },
  }
}

/**
 * Tracks counts in the database, which is shared by all processes. Rows expire by the system clock, because the world's
 * clock can be set back. See `databaseEra`.
 */
export function usesInDatabase(database: Database, realTime: RealTime, lifetime: number): NonceUses {
  let uses = 0
  return {
    record: async ({ nonce, count }) => {
      if (count <= 0) return 'repeated'
      uses += 1
      if (uses % windowSize === 0) await nonceUses.dropExpired(database, realTime())
      const isFirst = await nonceUses.take(database, nonce, count, realTime() + lifetime + clockSkew)
      return isFirst ? 'first' : 'repeated'
    },
    // Keep the rows, because other processes need them to detect repeated counts.
    clear: () => {},
  }
}

interface Window {
  readonly issuedAt: number
  readonly expiresAt: number
  take(count: number): boolean
}

function createWindow(issuedAt: number, expiresAt: number): Window {
  const bits = new Uint32Array(windowSize / 32)
  let highest = 0
  const mark = (count: number) => {
    const slot = count % windowSize
    const word = slot >>> 5
    bits[word] = (bits[word] ?? 0) | (1 << (slot & 31))
  }
  const isMarked = (count: number) => {
    const slot = count % windowSize
    return (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1
  }
  const clear = (count: number) => {
    const slot = count % windowSize
    const word = slot >>> 5
    bits[word] = (bits[word] ?? 0) & ~(1 << (slot & 31))
  }
  return {
    issuedAt,
    expiresAt,
    take: (count) => {
      if (count <= 0 || count <= highest - windowSize) return false
      if (count > highest) {
        if (count - highest >= windowSize) bits.fill(0)
        else for (let passed = highest + 1; passed <= count; passed += 1) clear(passed)
        highest = count
      } else if (isMarked(count)) return false
      mark(count)
      return true
    },
  }
}
