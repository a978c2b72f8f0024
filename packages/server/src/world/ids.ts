import { createHash } from 'node:crypto'

/** Random bytes; injected, so that a world can be the same twice. */
export type RandomBytes = (count: number) => Buffer

/** Makes identifiers of resources. */
export interface Ids {
  next(now: number): string
  /** How far it has counted. */
  position(): number
  /** Counts on from there. */
  seek(position: number): void
}

/**
 * Builds a maker of identifiers: 4 bytes of seconds, 5 of chance for this process, 3 counted up. Those of one
 * process sort by creation, those of several do not collide.
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

/** Makes identifiers of what is told of alerts. */
export interface NoticeIds {
  /** That of the notice of an alert which so many of the same went before. */
  next(alertId: string, before: number, at: number): string
  /** How many it has made. */
  created(): number
  /** What was told once is told under other identifiers from now on. */
  renew(): void
}

/**
 * Builds a maker of identifiers that follow from what they are of: it is told when somebody looks or the delivery comes
 * round, whichever is first, and to whom first is a matter of chance. 4 bytes of seconds, 2 counted up, 6 of a digest.
 */
export function createNoticeIds(random: RandomBytes): NoticeIds {
  let key = random(8)
  let made = 0
  return {
    next: (alertId, before, at) => {
      made += 1
      const digest = createHash('sha256').update(key).update(`${alertId} ${before}`).digest('hex')
      return hex(Math.floor(at / 1000) % 0x100000000, 8) + hex(before % 0x10000, 4) + digest.slice(0, 12)
    },
    created: () => made,
    renew: () => {
      key = random(8)
    },
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
