import type { Clock } from '../clock.ts'

/** An access token and the moment it stops working, in milliseconds since the UNIX epoch. */
export interface Token {
  readonly accessToken: string
  readonly expiresAt: number
  /** When it was issued; short-lived tokens are renewed later in proportion. */
  readonly issuedAt: number
}

/** Keeps tokens outside of the client, so that processes can share one. */
export interface TokenStore {
  /** `key` tells service accounts and servers apart; it holds no secret. */
  get(key: string): Token | undefined | Promise<Token | undefined>
  set(key: string, token: Token): void | Promise<void>
}

export interface TokenSource {
  /** A token that works for a while yet. */
  get(): Promise<Token>
  /** Another token than the one that was refused. */
  replace(rejected: Token): Promise<Token>
}

/** After a renewal in the background failed, calls leave the token endpoint alone for so long. */
const cooldownMs = 5_000

/**
 * Caches one token. However many calls need a new one at the same time, one request is made.
 */
export function createTokenSource(options: {
  readonly clock: Clock
  readonly request: () => Promise<Token>
  readonly store?: TokenStore | undefined
  readonly key: () => Promise<string>
}): TokenSource {
  const { clock, request, store } = options
  let current: Token | undefined
  let renewal: Promise<Token> | undefined
  let notBefore = 0

  const left = (token: Token): number => token.expiresAt - clock.now()
  /** From here on a call has to wait for the new token. */
  const blocking = within(30_000, 1 / 4)
  /** From here on a call that finds the token old starts a renewal, and goes on with the old one. */
  const early = within(120_000, 1 / 2)

  async function load(rejected: Token | undefined): Promise<Token> {
    const key = store && (await options.key())
    const stored = key === undefined ? undefined : await store?.get(key)
    const known = [rejected?.accessToken, current?.accessToken]
    // Another process may have renewed it already.
    if (stored && !known.includes(stored.accessToken) && left(stored) > blocking(stored)) return stored
    const token = await request()
    if (key !== undefined) await store?.set(key, token)
    return token
  }

  function renew(rejected?: Token): Promise<Token> {
    renewal ??= load(rejected)
      .then((token) => {
        current = token
        return token
      })
      .finally(() => {
        renewal = undefined
      })
    return renewal
  }

  function renewInBackground(): void {
    if (renewal || clock.now() < notBefore) return
    renew().catch(() => {
      notBefore = clock.now() + cooldownMs
    })
  }

  return {
    async get() {
      if (!current || left(current) <= blocking(current)) return renew()
      if (left(current) <= early(current)) renewInBackground()
      return current
    },
    async replace(rejected) {
      // Whoever was refused with an older token than the current one needs no new one.
      return current && current.accessToken !== rejected.accessToken ? current : renew(rejected)
    },
  }
}

/** A token that lives for seconds must not be renewed by every call: windows are a part of its life at most. */
function within(ms: number, part: number): (token: Token) => number {
  return ({ expiresAt, issuedAt }) => Math.min(ms, (expiresAt - issuedAt) * part)
}
