import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RandomBytes, RealTime } from '../domain/injected.ts'

/** Issues and verifies signed nonces without storing them. */
export interface Nonces {
  issue(now: number): string
  check(nonce: string, now: number): NonceCheck
  /** Invalidates all nonces issued so far, unless other processes also issue nonces (see `Era`). */
  void(): void
}

export interface NonceCheck {
  /** Nonces that were issued before a restart count as `expired`, because their counts are lost. */
  readonly state: 'valid' | 'expired' | 'forged'
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface NonceOptions {
  readonly key: Buffer
  readonly era: Era
  /** The lifetime of a nonce, in milliseconds. */
  readonly lifetime: number
  readonly random: RandomBytes
}

/** The maximum difference between the clocks of two servers, in milliseconds. */
export const clockSkew = 60_000

/** A period during which the server reliably tracks nonce counts. The server rejects nonces from other eras. */
export interface Era {
  /** How far in the future the issue time of a nonce can be, in milliseconds. */
  readonly skew: number
  /** Returns eight bytes to embed in a new nonce. */
  mark(): Buffer
  /** Returns false if the server may have lost the counts for nonces that contain these bytes. */
  holds(mark: Buffer): boolean
  /** Starts a new era, unless the database determines the era. */
  end(): void
}

/**
 * Returns an era for counts in memory, which are lost when the process exits. The era's random bytes don't depend on
 * the world's seed, because a restarted process with the same seed would otherwise repeat an earlier era.
 */
export function memoryEra(random: RandomBytes): Era {
  let current = random(eraBytes)
  return {
    skew: 0,
    mark: () => current,
    holds: (mark) => mark.equals(current),
    end: () => {
      current = random(eraBytes)
    },
  }
}

/**
 * Returns an era for counts in a database, based on the system clock. The world's clock isn't suitable, because setting
 * that clock back would revalidate nonces whose counts were evicted. Other processes' clocks may be ahead of this
 * process's clock.
 *
 * @param rewinds Returns the world's rewind count (`Clock.rewinds`), which is shared by all processes.
 */
export function databaseEra(realTime: RealTime, lifetime: number, rewinds: () => number): Era {
  const seconds = () => Math.floor(realTime() / 1000) % 2 ** 32
  return {
    skew: clockSkew,
    mark: () => {
      const mark = Buffer.alloc(eraBytes)
      mark.writeUInt32BE(seconds())
      mark.writeUInt32BE(rewinds(), rewindsAt)
      return mark
    },
    holds: (mark) => {
      if (mark.readUInt32BE(rewindsAt) !== rewinds()) return false
      // Compares whole seconds only, because `check` verifies the exact lifetime with the world's clock.
      const age = seconds() - mark.readUInt32BE()
      return age >= -clockSkew / 1000 && age <= lifetime / 1000
    },
    // Does nothing, because the database already counts each rewind.
    end: () => {},
  }
}

const timeBytes = 6
const eraBytes = 8
/** The byte offset of the rewind count within an era. */
const rewindsAt = 4
const chanceBytes = 8
const signedBytes = timeBytes + eraBytes + chanceBytes
const macBytes = 16
/** The maximum number of verified nonces to cache. The signatures of cached nonces don't have to be verified again. */
const knownLimit = 1000
const forged: NonceCheck = { state: 'forged', issuedAt: 0, expiresAt: 0 }

/**
 * Creates a world's nonces. Each nonce contains a time, an era, a random value and a signature (RFC 7616 §3.3,
 * "nonce").
 */
export function createNonces({ key, era, lifetime, random }: NonceOptions): Nonces {
  const sign = (bytes: Buffer) => createHmac('sha256', key).update(bytes).digest().subarray(0, macBytes)
  // Maps each verified nonce to its signed content.
  const known = new Map<string, Buffer>()
  const opened = (nonce: string): Buffer | undefined => {
    const before = known.get(nonce)
    if (before) return before
    const bytes = Buffer.from(nonce, 'base64url')
    // Several base64 strings can decode to the same bytes, but only the issued string is valid.
    if (bytes.length !== signedBytes + macBytes || bytes.toString('base64url') !== nonce) return undefined
    const signed = bytes.subarray(0, signedBytes)
    if (!timingSafeEqual(sign(signed), bytes.subarray(signedBytes))) return undefined
    if (known.size >= knownLimit) known.clear()
    known.set(nonce, signed)
    return signed
  }
  return {
    issue: (now) => {
      const bytes = Buffer.concat([Buffer.alloc(timeBytes), era.mark(), random(chanceBytes)])
      bytes.writeUIntBE(now, 0, timeBytes)
      return Buffer.concat([bytes, sign(bytes)]).toString('base64url')
    },
    check: (nonce, now) => {
      const signed = opened(nonce)
      if (!signed) return forged
      const issuedAt = signed.readUIntBE(0, timeBytes)
      const tracked = era.holds(signed.subarray(timeBytes, timeBytes + eraBytes))
      const live = tracked && now < issuedAt + lifetime && now >= issuedAt - era.skew
      return { state: live ? 'valid' : 'expired', issuedAt, expiresAt: issuedAt + lifetime }
    },
    void: era.end,
  }
}
