import { randomUUID } from 'node:crypto'
import type { ApiKey } from './authorization.ts'
import { type Challenge, digestChallengeOf } from './challenge.ts'
import { type DigestInput, digestAuthorization } from './digest.ts'
import { type Exchange, type RawRequest, withAuthorization } from './exchange.ts'
import { createNoncePool, type Nonce, type NoncePool, nonceOf } from './nonces.ts'

/** Sends requests with Digest authentication, either valid or deliberately wrong. */
export interface Digests {
  send(request: RawRequest, key: ApiKey): Promise<Exchange>
  /**
   * Requests a challenge, and responds to it with the input that `spoil` returns. If the request is sent again, calls
   * `spoil` again.
   */
  sendSpoiled(request: RawRequest, key: ApiKey, spoil: (input: DigestInput) => DigestInput): Promise<Exchange>
  clear(): void
}

export interface DigestsOptions {
  readonly send: (request: RawRequest, recreate?: () => RawRequest) => Promise<Exchange>
  readonly challenge: () => Promise<Challenge>
  /** The path of the base address, because the signature includes the whole path. */
  readonly prefix: string
}

const maxAttempts = 3

const isStale = ({ response }: Exchange): boolean =>
  response.status === 401 && digestChallengeOf(response.headers)?.parameters.stale?.toLowerCase() === 'true'

export const createDigests = ({ send, challenge, prefix }: DigestsOptions): Digests => {
  const pools = new Map<string, NoncePool>()
  const poolOf = ({ publicKey }: ApiKey): NoncePool => {
    const pool = pools.get(publicKey) ?? createNoncePool(challenge)
    pools.set(publicKey, pool)
    return pool
  }
  const inputOf = (request: RawRequest, key: ApiKey, nonce: Nonce): DigestInput => ({
    username: key.publicKey,
    password: key.privateKey,
    realm: nonce.realm,
    nonce: nonce.value,
    method: request.method,
    uri: prefix + request.path,
    count: nonce.count,
    cnonce: randomUUID(),
    opaque: nonce.opaque,
    algorithm: nonce.algorithm,
  })
  return {
    async send(request, key) {
      const pool = poolOf(key)
      for (let tries = 1; ; tries += 1) {
        const nonce = await pool.acquire()
        const signed = () => withAuthorization(request, digestAuthorization(inputOf(request, key, nonce)))
        const exchange = await send(signed(), () => {
          nonce.count += 1
          return signed()
        })
        // All nonces expire at the same time, so if one nonce is stale, all unused nonces are stale too.
        if (isStale(exchange)) pool.clear()
        else pool.release(nonce)
        if (!isStale(exchange) || tries === maxAttempts) return exchange
      }
    },
    async sendSpoiled(request, key, spoil) {
      const nonce = nonceOf(await challenge())
      const signed = () => {
        nonce.count += 1
        return withAuthorization(request, digestAuthorization(spoil(inputOf(request, key, nonce))))
      }
      return send(signed(), signed)
    },
    clear() {
      for (const pool of pools.values()) pool.clear()
    },
  }
}
