import { seeded } from '../../soak/random.ts'

/** Makes random choices, which are always the same for the same seed. */
export interface Chance {
  /** Returns true with the given probability in percent. */
  percent(share: number): boolean
  /** Returns a random integer that is at least 0 and less than `end`. */
  below(end: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  /** Returns a random element, or undefined if the list is empty. */
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
