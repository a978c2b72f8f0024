import type { Clock } from '../clock.ts'
import { tolerate } from '../tolerate.ts'

/** An access token and the moment it stops working, in milliseconds since the UNIX epoch. */
export interface Token {
  readonly accessToken: string
  readonly expiresAt: number
  /** When it was issued; short-lived tokens are renewed later in proportion. */
  readonly issuedAt: number
}

/**
 * Keeps tokens outside of the client, so that processes can share one. What it throws is told on the console and fails no
 * call: the client keeps its token in memory too.
 */
export interface TokenStore {
  /** `key` tells service accounts and base addresses apart; it holds no secret. */
  get(key: string): Token | undefined | Promise<Token | undefined>
  set(key: string, token: Token): void | Promise<void>
}

export interface TokenSource {
  /** A token that works for a while yet. */
  get(): Promise<Token>
  /** Another token than the one that was refused. */
  replace(rejected: Token): Promise<Token>
}

/**
 * Caches one token. However many calls need a new one at the same time, one request is made.
 */
export function createTokenSource(options: {
  readonly clock: Clock
  readonly request: () => Promise<Token>
  readonly tokenStore?: TokenStore | undefined
  readonly key: () => Promise<string>
}): TokenSource {
  const { clock, request, tokenStore: store } = options
  /** After a renewal in the background failed, calls leave the token endpoint alone for so long. */
  const cooldownMs = 5_000
  let current: Token | undefined
  let renewal: Promise<Token> | undefined
  let notBefore = 0

  /** A token that lives for seconds must not be renewed by every call: windows are a part of its life at most. */
  const lasts = ({ expiresAt, issuedAt }: Token, ms: number, part: number): boolean =>
    expiresAt - clock.now() > Math.min(ms, (expiresAt - issuedAt) * part)
  /** If not, a call has to wait for a new one. */
  const works = (token: Token): boolean => lasts(token, 30_000, 1 / 4)

  async function load(): Promise<Token> {
    const key = store && (await options.key())
    // A store that fails is as if it had nothing and took nothing: the token is in memory too.
    const stored = key && (await tolerate(() => store.get(key)))
    // Another process may have renewed it already. The current one is old, or was refused.
    const usable = stored && stored.accessToken !== current?.accessToken && works(stored)
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
      if (!current || !works(current)) return renew()
      // Old enough to be renewed in the background, while calls go on with it.
      if (!lasts(current, 120_000, 1 / 2) && clock.now() >= notBefore) {
        renew().catch(() => {
          notBefore = clock.now() + cooldownMs
        })
      }
      return current
    },
    async replace(rejected) {
      // Whoever was refused with an older token than the current one needs no new one.
      return current && current.accessToken !== rejected.accessToken ? current : renew()
    },
  }
}
