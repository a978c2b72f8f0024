import { seeded } from '../../soak/random.ts'

/** Random choices that are the same for the same seed. */
export interface Chance {
  /** True with the given probability in percent. */
  percent(share: number): boolean
  /** An integer from 0, below `end`. */
  below(end: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  /** A random element, or undefined for an empty list. */
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
