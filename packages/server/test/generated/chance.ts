import { seeded } from '../../soak/random.ts'

/** Makes random choices. The same seed leads to the same choices. */
export interface Chance {
  /** Returns true with the given probability, in percent. */
  percent(share: number): boolean
  /** Returns an integer from 0 up to but not including `end`. */
  below(end: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  /** Returns a random element, or undefined for an empty list. */
  maybe<T>(from: readonly T[]): T | undefined
}

export function createChance(seed: number): Chance {
  const random = seeded(seed)
  const below = (end: number) => Math.floor(random() * end)
  return {
    percent: (share) => random() * 100 < share,
    below,
    pick: (from) => from[below(from.length)] ?? from[0],
    maybe: (from) => from[below(from.length)],
  }
}
