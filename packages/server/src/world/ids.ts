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

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
