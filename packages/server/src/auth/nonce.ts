import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RandomBytes } from '../world/ids.ts'

/** Issues nonces and knows its own again, without keeping them. */
export interface Nonces {
  issue(now: number): string
  check(nonce: string, now: number): NonceCheck
  /** From now on, those issued before have expired, unless several processes issue them. */
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
  /** Makes four bytes that change when the counted uses are lost. */
  readonly era: () => Buffer
  /** Milliseconds. */
  readonly lifetime: number
  readonly random: RandomBytes
}

const timeBytes = 6
const eraBytes = 4
const chanceBytes = 8
const signedBytes = timeBytes + eraBytes + chanceBytes
const macBytes = 16
/** How many nonces are known again without their signature being made anew: those in use at once. */
const knownLimit = 1000
const forged: NonceCheck = { state: 'forged', issuedAt: 0, expiresAt: 0 }

/** Builds the nonces of a world: time, era and chance, signed (RFC 7616 §3.3, "nonce"). */
export function createNonces({ key, era: nextEra, lifetime, random }: NonceOptions): Nonces {
  let era = nextEra()
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
      const bytes = Buffer.concat([Buffer.alloc(timeBytes), era, random(chanceBytes)])
      bytes.writeUIntBE(now, 0, timeBytes)
      return Buffer.concat([bytes, sign(bytes)]).toString('base64url')
    },
    check: (nonce, now) => {
      const signed = opened(nonce)
      if (!signed) return forged
      const issuedAt = signed.readUIntBE(0, timeBytes)
      const sameEra = signed.subarray(timeBytes, timeBytes + eraBytes).equals(era)
      const live = sameEra && now < issuedAt + lifetime && now >= issuedAt
      return { state: live ? 'valid' : 'expired', issuedAt, expiresAt: issuedAt + lifetime }
    },
    void: () => {
      era = nextEra()
    },
  }
}
