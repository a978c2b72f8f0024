import { createHash, randomBytes } from 'node:crypto'
import type { RandomBytes } from './ids.ts'

/** Where a world's random bytes come from. */
export interface RandomSource {
  readonly bytes: RandomBytes
  /** How many bytes of a seed were drawn; undefined for chance that cannot be repeated. */
  position(): number | undefined
  /** Goes back or on to where a seed stood. */
  seek(position: number): void
}

/** Chance of the machine, or of whoever hands it in. */
export function systemRandom(bytes: RandomBytes = randomBytes): RandomSource {
  return { bytes, position: () => undefined, seek: () => {} }
}

const blockSize = 32

/** The same bytes for the same seed: for tests that compare, never for secrets of anybody. */
export function seededRandom(seed: string): RandomSource {
  let drawn = 0
  const block = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest()
  return {
    bytes: (count) => {
      const first = Math.floor(drawn / blockSize)
      const last = Math.floor((drawn + count) / blockSize)
      const blocks = Array.from({ length: last - first + 1 }, (_, index) => block(first + index))
      const start = drawn - first * blockSize
      drawn += count
      return Buffer.concat(blocks).subarray(start, start + count)
    },
    position: () => drawn,
    seek: (position) => {
      drawn = position
    },
  }
}
