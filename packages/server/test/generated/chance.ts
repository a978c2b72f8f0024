import { seeded } from '../../soak/random.ts'

/** Choices that are the same for the same seed. */
export interface Chance {
  /** True in so many of a hundred. */
  percent(share: number): boolean
  /** A whole number from 0, below `end`. */
  below(end: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  /** One of them, if there is one. */
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
