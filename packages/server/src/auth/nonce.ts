import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RealTime } from '../world/clock.ts'
import type { RandomBytes } from '../world/ids.ts'

/** Issues nonces and knows its own again, without keeping them. */
export interface Nonces {
  issue(now: number): string
  check(nonce: string, now: number): NonceCheck
  /** From now on, those issued before have expired, where this process alone issues them (`Era`). */
  void(): void
}

export interface NonceCheck {
  /** `expired` also for a nonce from before a restart, whose uses are forgotten. */
  readonly state: 'valid' | 'expired' | 'forged'
  readonly issuedAt: number
  readonly expiresAt: number
}

export interface NonceOptions {
  readonly key: Buffer
  readonly era: Era
  /** Milliseconds. */
  readonly lifetime: number
  readonly random: RandomBytes
}

/** By how much the clocks of several machines may differ, in milliseconds, with much to spare. */
export const clockSkew = 60_000

/** How long the uses of nonces are remembered, besides their lifetime. */
export interface Era {
  /** Milliseconds by which a nonce may seem to be issued later than it is used. */
  readonly skew: number
  /** Eight bytes that a nonce which is issued now carries. */
  mark(): Buffer
  /** False for the mark of a nonce whose uses may be forgotten by now. */
  holds(mark: Buffer): boolean
  /** The uses that were counted so far are forgotten, if that is in the hands of this process. */
  end(): void
}

/** Of uses in memory, which end with it: no seed makes the bytes, since it would make those of before again. */
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
 * Of uses in a database, by the wall's time: the clock of a world can be set on and back, and what was forgotten in
 * between would be good again. The process that issued a nonce may be ahead of the one that it is used at.
 *
 * @param turns how often the world has gone back (`Clock.turns`), which all processes count together.
 */
export function databaseEra(realTime: RealTime, lifetime: number, turns: () => number): Era {
  const seconds = () => Math.floor(realTime() / 1000) % 2 ** 32
  return {
    skew: clockSkew,
    mark: () => {
      const mark = Buffer.alloc(eraBytes)
      mark.writeUInt32BE(seconds())
      mark.writeUInt32BE(turns(), turnsAt)
      return mark
    },
    holds: (mark) => {
      if (mark.readUInt32BE(turnsAt) !== turns()) return false
      // Whole seconds: the lifetime to the millisecond is told by the clock of the world.
      const age = seconds() - mark.readUInt32BE()
      return age >= -clockSkew / 1000 && age <= lifetime / 1000
    },
    // Whoever turns a world back counts that in the database.
    end: () => {},
  }
}

const timeBytes = 6
const eraBytes = 8
/** Where the count of turns begins within an era. */
const turnsAt = 4
const chanceBytes = 8
const signedBytes = timeBytes + eraBytes + chanceBytes
const macBytes = 16
/** How many nonces are known again without their signature being made anew: those in use at once. */
const knownLimit = 1000
const forged: NonceCheck = { state: 'forged', issuedAt: 0, expiresAt: 0 }

/** Builds the nonces of a world: time, era and chance, signed (RFC 7616 §3.3, "nonce"). */
export function createNonces({ key, era, lifetime, random }: NonceOptions): Nonces {
  const sign = (bytes: Buffer) => createHmac('sha256', key).update(bytes).digest().subarray(0, macBytes)
  /** Nonces whose signature was found right, and what they say. */
  const known = new Map<string, Buffer>()
  const opened = (nonce: string): Buffer | undefined => {
    const before = known.get(nonce)
    if (before) return before
    const bytes = Buffer.from(nonce, 'base64url')
    // The same bytes can be written in several ways; only the way it was issued counts as this nonce.
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
      const remembered = era.holds(signed.subarray(timeBytes, timeBytes + eraBytes))
      const live = remembered && now < issuedAt + lifetime && now >= issuedAt - era.skew
      return { state: live ? 'valid' : 'expired', issuedAt, expiresAt: issuedAt + lifetime }
    },
    void: era.end,
  }
}
