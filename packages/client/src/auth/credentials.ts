import type { Clock } from '../clock.ts'
import { type Fetch, withHeaders } from '../fetch.ts'
import { type DigestCredentials, withDigest } from './digest.ts'
import { withBearer } from './oauth.ts'
import { basicAuthorization, type ClientCredentials } from './token-request.ts'
import { createTokenSource, type Token, type TokenStore } from './token-source.ts'

/** A token that was obtained elsewhere. */
export interface AccessToken {
  readonly accessToken: string
}

export type StaticCredentials = DigestCredentials | ClientCredentials | AccessToken

/** The function is called again whenever a challenge is answered or a token asked for. */
export type Credentials = StaticCredentials | (() => StaticCredentials | Promise<StaticCredentials>)

export interface AuthenticationOptions {
  readonly credentials: Credentials | undefined
  /** Credentials go to this origin and to no other. */
  readonly origin: string
  readonly clock: Clock
  readonly store?: TokenStore | undefined
  readonly requestToken: (credentials: () => Promise<ClientCredentials>) => () => Promise<Token>
}

/** Adds to a request what its operation wants: client credentials for the token endpoint, or what the API takes. */
export interface Authentication {
  readonly api: Fetch
  readonly basic: Fetch
}

/** Chooses by the kind of credentials how requests are authenticated. */
export function authenticate(next: Fetch, options: AuthenticationOptions): Authentication {
  const { credentials, origin } = options
  if (!credentials) return { api: next, basic: next }
  const resolve = async (): Promise<StaticCredentials> =>
    typeof credentials === 'function' ? credentials() : credentials

  const digest = withDigest(async () => expectKind(await resolve(), 'privateKey'))(next)
  const client = async (): Promise<ClientCredentials> => expectKind(await resolve(), 'clientSecret')
  const tokens = createTokenSource({
    clock: options.clock,
    store: options.store,
    request: options.requestToken(client),
    key: async () => `${origin} ${(await client()).clientId}`,
  })
  const bearer = withBearer(tokens)(next)

  let kind: StaticCredentials | undefined
  const api: Fetch = async (request) => {
    kind ??= await resolve()
    if ('privateKey' in kind) return digest(request)
    if ('clientSecret' in kind) return bearer(request)
    const { accessToken } = expectKind(await resolve(), 'accessToken')
    return next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
  }
  const basic: Fetch = async (request) =>
    next(withHeaders(request, { authorization: basicAuthorization(await client()) }))
  const guard =
    (send: Fetch): Fetch =>
    (request) =>
      request.url.startsWith(`${origin}/`) ? send(request) : next(request)
  return { api: guard(api), basic: guard(basic) }
}

/** @throws TypeError when the function gives another kind of credentials than it did at first. */
function expectKind<Key extends 'privateKey' | 'clientSecret' | 'accessToken'>(
  credentials: StaticCredentials,
  key: Key,
): Extract<StaticCredentials, Record<Key, string>> {
  if (!(key in credentials)) throw new TypeError(`credentials with ${key} are needed`)
  return credentials as Extract<StaticCredentials, Record<Key, string>>
}
