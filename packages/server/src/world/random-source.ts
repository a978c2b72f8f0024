import { createHash, randomBytes } from 'node:crypto'
import type { RandomBytes } from '../domain/injected.ts'

/** A world's source of random bytes. */
export interface RandomSource {
  readonly bytes: RandomBytes
  /** Returns the number of bytes taken from the seed's sequence, or undefined if the source isn't seeded. */
  position(): number | undefined
  /** Moves to the given position in the seed's sequence. */
  seek(position: number): void
}

export function systemRandom(bytes: RandomBytes = randomBytes): RandomSource {
  return { bytes, position: () => undefined, seek: () => {} }
}

const blockSize = 32

/**
 * Returns a source that always produces the same bytes for the same seed. Use a seeded source only for reproducible
 * tests, never for real secrets.
 */
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
