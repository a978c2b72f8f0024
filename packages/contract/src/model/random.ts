import { createHash } from 'node:crypto'

/** Random choices that depend only on a seed and a name, and not on order or parallelism. */
export interface Random {
  /** An integer from 0 up to, but not including, `below`. */
  integer(below: number): number
  pick<T>(values: readonly T[]): T | undefined
  /** Lowercase hexadecimal digits. */
  hex(length: number): string
}

/** The first four bytes of a text's hash, as a number. */
export const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)

/** The mulberry32 generator, which is small, fast, and good enough to choose test values. */
const mulberry32 = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Creates the random choices for a case. */
export const createRandom = (seed: number, name: string): Random => {
  const next = mulberry32(hashOf(`${seed}:${name}`))
  const integer = (below: number): number => Math.floor(next() * below)
  return {
    integer,
    pick: (values) => values[integer(values.length)],
    hex: (length) => Array.from({ length }, () => integer(16).toString(16)).join(''),
  }
}
