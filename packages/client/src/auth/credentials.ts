import type { Clock } from '../clock.ts'
import { type Fetch, withHeaders } from '../fetch.ts'
import { type DigestCredentials, withDigest } from './digest.ts'
import { encoder } from './digest-hash.ts'
import { withBearer } from './oauth.ts'
import { createTokenSource, type Token, type TokenStore } from './token-source.ts'

/** Credentials of a service account. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** An access token that you obtained yourself. */
export interface AccessToken {
  readonly accessToken: string
}

type AnyCredentials = DigestCredentials & ClientCredentials & AccessToken

export type StaticCredentials = DigestCredentials | ClientCredentials | AccessToken

/**
 * A function is called again for each challenge, for each token request, and for each request with an access
 * token.
 */
export type Credentials = StaticCredentials | (() => StaticCredentials | Promise<StaticCredentials>)

export interface AuthenticationOptions {
  readonly credentials?: Credentials | undefined
  /** Credentials are sent only to the origin of this URL. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly tokenStore?: TokenStore | undefined
  /** Creates the token request from a `Fetch` that adds the client credentials. */
  readonly requestToken: (send: Fetch) => () => Promise<Token>
}

/**
 * Adds the credentials that an operation requires: client credentials for the token endpoint, otherwise the
 * API's.
 */
export interface Authentication {
  readonly api: Fetch
  readonly basic: Fetch
}

/**
 * Chooses the authentication method by the kind of credentials.
 *
 * @throws TypeError for unknown credentials. A function's result is checked when it is needed.
 */
export function authenticate(next: Fetch, options: AuthenticationOptions): Authentication {
  const { credentials, baseUrl } = options
  if (!credentials) return { api: next, basic: next }
  // The kind was determined before. If the function returns another kind later, the server rejects the
  // request.
  const resolve = async () =>
    (typeof credentials === 'function' ? credentials() : credentials) as Promise<AnyCredentials>

  const digest = withDigest(next, resolve)
  const basic: Fetch = async (request) =>
    next(withHeaders(request, { authorization: basicAuthorization(await resolve()) }))
  const tokens = createTokenSource({
    ...options,
    request: options.requestToken(basic),
    key: async () => `${baseUrl} ${(await resolve()).clientId}`,
  })
  const bearer = withBearer(next, tokens)

  const choose = (candidate: StaticCredentials): Fetch => {
    const { publicKey, privateKey, clientId, clientSecret, accessToken }: Partial<AnyCredentials> =
      Object(candidate)
    if (publicKey && privateKey) return digest
    if (clientId && clientSecret) return bearer
    if (!accessToken) {
      throw new TypeError(
        'credentials: expected publicKey and privateKey, clientId and clientSecret or accessToken',
      )
    }
    return (request) => next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
  }
  let method: Fetch | undefined
  const api: Fetch =
    typeof credentials === 'function'
      ? async (request) => {
          const send = method ?? choose(await resolve())
          // An access token is requested from the function each time, a key or an account only for challenges
          // and tokens.
          if (send === digest || send === bearer) method = send
          return send(request)
        }
      : choose(credentials)
  const origin = `${new URL(baseUrl).origin}/`
  const guard =
    (send: Fetch): Fetch =>
    (request) =>
      request.url.startsWith(origin) ? send(request) : next(request)
  return { api: guard(api), basic: guard(basic) }
}

/**
 * `Authorization` header of the client credentials grant: RFC 6749 §4.4.2, RFC 7617 §2 with UTF-8.
 *
 * @throws TypeError for another kind of credentials, which can't be exchanged for a token.
 */
function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  if (!clientId || !clientSecret) throw new TypeError('credentials: expected clientId and clientSecret')
  return `Basic ${btoa(String.fromCharCode(...encoder.encode(`${clientId}:${clientSecret}`)))}`
}
