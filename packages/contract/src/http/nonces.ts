import type { Challenge } from './challenge.ts'

/** A nonce, and the number of requests that have used it. */
export interface Nonce {
  readonly realm: string
  readonly value: string
  readonly opaque: string | undefined
  readonly algorithm: string | undefined
  count: number
}

export const nonceOf = ({ parameters }: Challenge): Nonce => ({
  realm: parameters.realm ?? '',
  value: parameters.nonce ?? '',
  opaque: parameters.opaque,
  algorithm: parameters.algorithm,
  count: 0,
})

/**
 * Lends each nonce to one request at a time. Parallel requests can overtake each other, and a target may reject a nonce
 * count if it has already seen a higher count.
 */
export interface NoncePool {
  acquire(): Promise<Nonce>
  release(nonce: Nonce): void
  /** Discards all nonces, for example after the target's clock was moved. */
  clear(): void
}

export const createNoncePool = (challenge: () => Promise<Challenge>): NoncePool => {
  let idle: Nonce[] = []
  let generation = 0
  const acquiredIn = new WeakMap<Nonce, number>()
  return {
    async acquire() {
      const nonce = idle.pop() ?? nonceOf(await challenge())
      nonce.count += 1
      acquiredIn.set(nonce, generation)
      return nonce
    },
    release(nonce) {
      if (acquiredIn.get(nonce) === generation) idle.push(nonce)
    },
    clear() {
      idle = []
      generation += 1
    },
  }
}
