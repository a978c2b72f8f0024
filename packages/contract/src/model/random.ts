import { createHash } from 'node:crypto'

/**
 * Random choices for a check. The choices depend only on the seed and the check's name, not on the order or number of
 * parallel checks.
 */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  integer(below: number): number
  pick<T>(values: readonly T[]): T | undefined
  /** Returns lowercase hexadecimal digits. */
  hex(length: number): string
}

/** Returns the first four bytes of a string's SHA-256 hash as a number. */
export const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)

/** The mulberry32 generator. The generator is small and fast, and good enough for choosing test values. */
const mulberry32 = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const createRandom = (seed: number, name: string): Random => {
  const next = mulberry32(hashOf(`${seed}:${name}`))
  const integer = (below: number): number => Math.floor(next() * below)
  return {
    integer,
    pick: (values) => values[integer(values.length)],
    hex: (length) => Array.from({ length }, () => integer(16).toString(16)).join(''),
  }
}
