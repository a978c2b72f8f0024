import type { Clock } from '../clock.ts'
import { tolerate } from '../tolerate.ts'

/** An access token and its expiration time, in milliseconds since the UNIX epoch. */
export interface Token {
  readonly accessToken: string
  readonly expiresAt: number
  /** The time when the token was issued. The client renews short-lived tokens closer to their expiration. */
  readonly issuedAt: number
}

/**
 * Stores tokens outside the client so that several processes can share them. If the store fails, the client
 * logs a warning and uses the token in memory.
 */
export interface TokenStore {
  /** `key` identifies the service account and the base URL, and contains no secret. */
  get(key: string): Token | undefined | Promise<Token | undefined>
  set(key: string, token: Token): void | Promise<void>
}

export interface TokenSource {
  /** Returns a token that isn't about to expire. */
  get(): Promise<Token>
  /** Returns a token that differs from the rejected token. */
  replace(rejected: Token): Promise<Token>
}

/** The time to wait before retrying a failed background renewal. */
const cooldownMs = 5_000

/** Caches one token. Concurrent calls share one token request. */
export function createTokenSource(options: {
  readonly clock: Clock
  readonly request: () => Promise<Token>
  readonly tokenStore?: TokenStore | undefined
  readonly key: () => Promise<string>
}): TokenSource {
  const { clock, request, tokenStore: store } = options
  let current: Token | undefined
  let renewal: Promise<Token> | undefined
  let noRenewalBefore = 0

  // Returns whether a token remains valid for `ms` milliseconds, or for `part` of its lifetime if that is shorter.
  // Without `part`, every call would renew a token that is valid for only a few seconds.
  const remainsValid = ({ expiresAt, issuedAt }: Token, ms: number, part: number): boolean =>
    expiresAt - clock.now() > Math.min(ms, (expiresAt - issuedAt) * part)
  // If the token can't be used, calls wait for a new one.
  const isUsable = (token: Token): boolean => remainsValid(token, 30_000, 1 / 4)

  async function load(): Promise<Token> {
    const key = store && (await options.key())
    // If the store fails, it is treated as empty because the client also keeps the token in memory.
    const stored = key && (await tolerate(() => store.get(key)))
    // The current token is old or was rejected, and another process may have renewed it.
    const usable = stored && stored.accessToken !== current?.accessToken && isUsable(stored)
    const token = usable ? stored : await request()
    current = token
    if (key && !usable) await tolerate(() => store.set(key, token))
    return token
  }

  function renew(): Promise<Token> {
    renewal ??= load().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  return {
    async get() {
      if (!current || !isUsable(current)) return renew()
      // Renews an old token in the background while calls continue to use it.
      if (!remainsValid(current, 120_000, 1 / 2) && clock.now() >= noRenewalBefore) {
        renew().catch(() => {
          noRenewalBefore = clock.now() + cooldownMs
        })
      }
      return current
    },
    async replace(rejected) {
      // If the rejected token isn't the current one, the token has already been replaced.
      return current && current.accessToken !== rejected.accessToken ? current : renew()
    },
  }
}
