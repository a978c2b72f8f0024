import { limits } from '@svc-admin/types'
import { numberAt, parseJson, stringAt } from '../document/json.ts'
import { basicAuthorization, basicCredentials, type ServiceAccount } from './authorization.ts'
import type { Exchange, RawRequest } from './exchange.ts'
import { NoCredentials } from './no-credentials.ts'
import type { Secrets } from './secrets.ts'

/** An access token, and for how many seconds it is good. */
export interface Token {
  readonly value: string
  readonly seconds: number
  /** When another one is to be asked for, by the target's time. */
  readonly renewAt: number
}

/** Access tokens, asked for once and shared for as long as they are good. */
export interface Tokens {
  of(account: ServiceAccount): Promise<Token>
  clear(): void
}

export interface TokensOptions {
  readonly send: (request: RawRequest) => Promise<Exchange>
  /** Path of the token endpoint, from the root of the server. */
  readonly path: string
  readonly secrets: Secrets
  /** The target's time as far as it is known, in milliseconds since any moment. */
  readonly now: () => number
  /** Tokens by client id, where several share them. */
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

/** A request takes its time to arrive, and the token has to be good there: so many seconds, or half of a short life. */
export const spareSeconds = (seconds: number): number => Math.min(30, seconds / 2)

/** Asks the token endpoint, once for each account and anew before a token expires (RFC 6749 §4.4, §5.1). */
export const createTokens = ({ send, path, secrets, now, known = new Map() }: TokensOptions): Tokens => {
  const request = async (account: ServiceAccount): Promise<Token> => {
    secrets.add(basicCredentials(account.clientId, account.clientSecret))
    const { response, milliseconds } = await send(requestFor(path, account))
    const sentAt = now() - milliseconds
    const body = parseJson(response.body)
    const value = stringAt(body, 'access_token')
    if (response.status !== 200 || value === undefined)
      throw new NoCredentials(
        `a token for ${account.clientId} (the token endpoint answered ${response.status})`,
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
      // Of several who find none that is good, the first one asks.
      const newer = known.get(account.clientId)
      if (newer !== undefined && newer !== before) return newer
      const made = request(account)
      known.set(account.clientId, made)
      // A failure is not remembered: the next request may have better luck.
      made.catch(() => known.delete(account.clientId))
      return made
    },
    clear: () => known.clear(),
  }
}
