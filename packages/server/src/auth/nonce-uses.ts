import type { RealTime } from '../domain/injected.ts'
import type { Database } from '../persistence/database.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import { nonceUses } from '../persistence/nonces.ts'
import { clockSkew } from './nonce.ts'

/** Tracks the counts that clients have used with each nonce, so that the same request is never accepted twice. */
export interface NonceUses {
  record(use: NonceUse): Eventually<NonceUseResult>
  /** Clears the stored counts. Call this method when all nonces become invalid. */
  clear(): void
}

/**
 * - `first`: The count is new for this nonce.
 * - `repeated`: The count was used before, is too old, or isn't a count.
 * - `evicted`: The server no longer stores the nonce's counts, so it can't detect repeated counts.
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
 * How far a count can be behind the nonce's highest count. Lower counts must be accepted, because concurrent requests
 * can arrive out of order.
 */
const windowSize = 1024
const nonceLimit = 10_000

/** Tracks counts in memory, for a world that only one process serves. */
export const usesInMemory = (): NonceUses => inMemory(nonceLimit)

/** Tracks the counts of up to `limit` nonces, using a sliding window as in RFC 4303 §3.4.3. */
export function inMemory(limit: number): NonceUses {
  const windows = new Map<string, Window>()
  // Counts of nonces that were issued at or before this time may have been evicted, so repeated counts can't be
  // detected.
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
 * Tracks counts in the database, which all processes share. Rows expire by the system clock because the world's clock
 * can be set back. See `databaseEra`.
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
    // Other processes' rows must stay in the database, because they are needed to detect repeated counts.
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
