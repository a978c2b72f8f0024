import { limits } from '@svc-admin/types'
import { numberAt, parseJson, stringAt } from '../document/json.ts'
import { basicAuthorization, basicCredentials, type ServiceAccount } from './authorization.ts'
import type { Exchange, RawRequest } from './exchange.ts'
import { NoCredentials } from './no-credentials.ts'
import type { Secrets } from './secrets.ts'

/** An access token and its lifetime in seconds. */
export interface Token {
  readonly value: string
  readonly seconds: number
  /** When to request the next token, in the target's time. */
  readonly renewAt: number
}

/** Access tokens. Each token is requested once and shared while it is valid. */
export interface Tokens {
  of(account: ServiceAccount): Promise<Token>
  clear(): void
}

export interface TokensOptions {
  readonly send: (request: RawRequest) => Promise<Exchange>
  /** The token endpoint's path, relative to the server's root. */
  readonly path: string
  readonly secrets: Secrets
  /** The target's time, if it is known, in milliseconds from an arbitrary start. */
  readonly now: () => number
  /** Tokens by client ID, if several sessions share them. */
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
 * A token must still be valid when the request arrives. The kit therefore renews it 30 seconds before it expires, or
 * after half of a short lifetime.
 */
export const spareSeconds = (seconds: number): number => Math.min(30, seconds / 2)

/** Requests one token for each account, and a new token before the old one expires (RFC 6749 §4.4, §5.1). */
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
      // If several requests need a token, only the first one requests it.
      const newer = known.get(account.clientId)
      if (newer !== undefined && newer !== before) return newer
      const made = request(account)
      known.set(account.clientId, made)
      // Failures aren't cached, because the next request may succeed.
      made.catch(() => known.delete(account.clientId))
      return made
    },
    clear: () => known.clear(),
  }
}
