import { limits } from '@svc-admin/types'
import { numberAt, parseJson, stringAt } from '../document/json.ts'
import { basicAuthorization, basicCredentials, type ServiceAccount } from './authorization.ts'
import type { Exchange, RawRequest } from './exchange.ts'
import { NoCredentials } from './no-credentials.ts'
import type { Secrets } from './secrets.ts'

/** An access token and its lifetime. */
export interface Token {
  readonly value: string
  readonly seconds: number
  /** The time on the target's clock when the kit should request the next token. */
  readonly renewAt: number
}

/** The access tokens of all accounts. Requests share a token while the token is valid. */
export interface Tokens {
  of(account: ServiceAccount): Promise<Token>
  clear(): void
}

export interface TokensOptions {
  readonly send: (request: RawRequest) => Promise<Exchange>
  /** The path of the token endpoint, relative to the server's root. */
  readonly path: string
  readonly secrets: Secrets
  /** Returns the target's time in milliseconds, counted from an arbitrary starting point. */
  readonly now: () => number
  /** Tokens by client ID, for sessions that share them. */
  readonly known?: Map<string, Promise<Token>> | undefined
}

const requestFor = (path: string, account: ServiceAccount): RawRequest => ({
  method: 'POST',
  path,
  headers: [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Authorization', basicAuthorization(account)],
  ],
  body: 'grant_type=client_credentials',
})

/**
 * Returns how many seconds before expiration a token must be renewed. A token must still be valid when a request
 * arrives. Tokens are renewed 30 seconds before they expire, or after half of a short lifetime.
 */
export const spareSeconds = (seconds: number): number => Math.min(30, seconds / 2)

/** Requests a token for each account, and renews the token before it expires (RFC 6749 §4.4, §5.1). */
export const createTokens = ({ send, path, secrets, now, known = new Map() }: TokensOptions): Tokens => {
  const request = async (account: ServiceAccount): Promise<Token> => {
    secrets.add(basicCredentials(account.clientId, account.clientSecret))
    const { response, milliseconds } = await send(requestFor(path, account))
    const sentAt = now() - milliseconds
    const body = parseJson(response.body)
    const value = stringAt(body, 'access_token')
    if (response.status !== 200 || value === undefined)
      throw new NoCredentials(
        `a token for ${account.clientId} (the token endpoint returned ${response.status})`,
        response.status,
      )
    secrets.add(value)
    const seconds = numberAt(body, 'expires_in') ?? limits.tokenLifetime.seconds
    return { value, seconds, renewAt: sentAt + (seconds - spareSeconds(seconds)) * 1000 }
  }
  return {
    async of(account) {
      const before = known.get(account.clientId)
      const token = await before
      if (token && now() < token.renewAt) return token
      // If several requests need a new token, only the first request fetches one.
      const newer = known.get(account.clientId)
      if (newer !== undefined && newer !== before) return newer
      const made = request(account)
      known.set(account.clientId, made)
      // Don't cache a failure, because the next request may succeed.
      made.catch(() => known.delete(account.clientId))
      return made
    },
    clear: () => known.clear(),
  }
}
