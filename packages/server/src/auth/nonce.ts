import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RandomBytes, RealTime } from '../domain/injected.ts'

/** Issues and verifies signed nonces, without storing them. */
export interface Nonces {
  issue(now: number): string
  check(nonce: string, now: number): NonceCheck
  /** Expires all nonces that were issued so far, unless other processes also issue nonces (see `Era`). */
  void(): void
}

export interface NonceCheck {
  /** Nonces that were issued before a restart are also `expired`, because their counts are lost. */
  readonly state: 'valid' | 'expired' | 'forged'
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface NonceOptions {
  readonly key: Buffer
  readonly era: Era
  /** The time until a nonce expires, in milliseconds. */
  readonly lifetime: number
  readonly random: RandomBytes
}

/** The maximum difference between two machines' clocks, in milliseconds. */
export const clockSkew = 60_000

/** A period during which the server reliably tracks nonce counts. Nonces from other eras are rejected. */
export interface Era {
  /** How far in the future a nonce's issue time may be, in milliseconds. */
  readonly skew: number
  /** Returns eight bytes to embed in a new nonce. */
  mark(): Buffer
  /** Returns false if the counts for a nonce with this mark may have been lost. */
  holds(mark: Buffer): boolean
  /** Starts a new era. Has no effect if the database determines the era. */
  end(): void
}

/**
 * Returns an era for counts in memory, which are lost when the process ends. The era's random bytes don't depend on the
 * world's seed, because the same seed would repeat an earlier era.
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
 * Returns an era for counts in a database, based on the system clock. The world's clock isn't suitable,
 * because setting it back would make evicted nonces valid again. Clocks of other processes may be ahead of
 * this one.
 *
 * @param rewinds Returns the world's rewind count (`Clock.rewinds`), which all processes share.
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
      // Only whole seconds are compared here. The exact lifetime is checked against the world's clock.
      const age = seconds() - mark.readUInt32BE()
      return age >= -clockSkew / 1000 && age <= lifetime / 1000
    },
    // No action is needed, because the database counts each rewind.
    end: () => {},
  }
}

const timeBytes = 6
const eraBytes = 8
/** The position of the rewind count within the bytes of an era. */
const rewindsAt = 4
const chanceBytes = 8
const signedBytes = timeBytes + eraBytes + chanceBytes
const macBytes = 16
/** The maximum number of cached nonces. The signatures of cached nonces aren't verified again. */
const knownLimit = 1000
const forged: NonceCheck = { state: 'forged', issuedAt: 0, expiresAt: 0 }

/**
 * Creates the nonces for a world. Each nonce consists of a signed time, era and random value (RFC 7616 §3.3,
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
    // Several base64 texts can represent the same bytes, but only the issued text is valid.
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
