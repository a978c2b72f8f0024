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
}

/** Access tokens, asked for once and shared. */
export interface Tokens {
  of(account: ServiceAccount): Promise<Token>
  clear(): void
}

export interface TokensOptions {
  readonly ask: (request: RawRequest) => Promise<Exchange>
  /** Path of the token endpoint, from the root of the server. */
  readonly path: string
  readonly secrets: Secrets
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

/** Asks the token endpoint, once for each account (RFC 6749 §4.4). */
export const createTokens = ({ ask, path, secrets, known = new Map() }: TokensOptions): Tokens => {
  const request = async (account: ServiceAccount): Promise<Token> => {
    secrets.add(basicCredentials(account.clientId, account.clientSecret))
    const { response } = await ask(requestFor(path, account))
    const body = parseJson(response.body)
    const value = stringAt(body, 'access_token')
    if (response.status !== 200 || value === undefined)
      throw new NoCredentials(
        `a token for ${account.clientId} (the token endpoint answered ${response.status})`,
        response.status,
      )
    secrets.add(value)
    return { value, seconds: numberAt(body, 'expires_in') ?? limits.tokenLifetime.seconds }
  }
  return {
    of(account) {
      const before = known.get(account.clientId)
      if (before) return before
      const made = request(account)
      known.set(account.clientId, made)
      // A failure is not remembered: the next request may have better luck.
      made.catch(() => known.delete(account.clientId))
      return made
    },
    clear: () => known.clear(),
  }
}
