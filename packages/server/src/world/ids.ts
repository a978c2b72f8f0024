import { createHash } from 'node:crypto'
import type { RandomBytes } from '../domain/injected.ts'

/** Generates IDs for resources. */
export interface Ids {
  next(now: number): string
  position(): number
  seek(position: number): void
}

/**
 * Creates an ID generator. Each ID consists of a 4-byte time in seconds, 5 random bytes for the process, and a 3-byte
 * counter. IDs from the same process sort by creation time, and IDs from different processes don't collide.
 */
export function createIds(random: RandomBytes): Ids {
  const process = random(5).toString('hex')
  let count = random(3).readUIntBE(0, 3)
  return {
    next: (now) => {
      count = (count + 1) % 0x1000000
      const seconds = Math.floor(now / 1000) % 0x100000000
      return hex(seconds, 8) + process + hex(count, 6)
    },
    position: () => count,
    seek: (position) => {
      count = position
    },
  }
}

/** Generates IDs for notifications. */
export interface NoticeIds {
  /** Returns the ID of a notification about an alert. `before` is the number of earlier notifications for the alert. */
  next(alertId: string, before: number, at: number): string
  /** Returns the number of IDs generated so far. */
  created(): number
  /** Ensures that all new IDs differ from earlier ones. */
  renew(): void
}

/**
 * Creates a generator that derives notification IDs from the alert. A counter for the whole world isn't suitable,
 * because reads and deliveries create notifications in an unpredictable order. Each ID consists of a 4-byte time in
 * seconds, a 2-byte counter, and 6 bytes of a digest.
 */
export function createNoticeIds(random: RandomBytes): NoticeIds {
  let key = random(8)
  let created = 0
  return {
    next: (alertId, before, at) => {
      created += 1
      const digest = createHash('sha256').update(key).update(`${alertId} ${before}`).digest('hex')
      return hex(Math.floor(at / 1000) % 0x100000000, 8) + hex(before % 0x10000, 4) + digest.slice(0, 12)
    },
    created: () => created,
    renew: () => {
      key = random(8)
    },
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
