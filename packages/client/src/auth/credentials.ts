import type { Clock } from '../clock.ts'
import { type Fetch, withHeaders } from '../fetch.ts'
import { type DigestCredentials, withDigest } from './digest.ts'
import { encoder } from './digest-hash.ts'
import { withBearer } from './oauth.ts'
import { createTokenSource, type Token, type TokenStore } from './token-source.ts'

/** A service account. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** A token that was obtained elsewhere. */
export interface AccessToken {
  readonly accessToken: string
}

type AnyCredentials = DigestCredentials & ClientCredentials & AccessToken

export type StaticCredentials = DigestCredentials | ClientCredentials | AccessToken

/** The function is called again whenever a challenge is answered or a token asked for. */
export type Credentials = StaticCredentials | (() => StaticCredentials | Promise<StaticCredentials>)

export interface AuthenticationOptions {
  readonly credentials?: Credentials | undefined
  /** Credentials go to its origin and to no other. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly tokenStore?: TokenStore | undefined
  /** Makes the request for a token from a `Fetch` that adds the client credentials. */
  readonly requestToken: (send: Fetch) => () => Promise<Token>
}

/** Adds to a request what its operation wants: client credentials for the token endpoint, or what the API takes. */
export interface Authentication {
  readonly api: Fetch
  readonly basic: Fetch
}

/**
 * Chooses by the kind of credentials how requests are authenticated.
 *
 * @throws TypeError for credentials of no known shape; those of a function are seen when they are needed.
 */
export function authenticate(next: Fetch, options: AuthenticationOptions): Authentication {
  const { credentials, baseUrl } = options
  if (!credentials) return { api: next, basic: next }
  // Which kind they are was seen before; a function that changes it later finds its call refused.
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

  const choose = (given: StaticCredentials): Fetch => {
    const { publicKey, privateKey, clientId, clientSecret, accessToken }: Partial<AnyCredentials> =
      Object(given)
    if (publicKey && privateKey) return digest
    if (clientId && clientSecret) return bearer
    if (!accessToken) {
      throw new TypeError(
        'credentials: expected publicKey and privateKey, clientId and clientSecret or accessToken',
      )
    }
    return (request) => next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
  }
  let chosen: Fetch | undefined
  const api: Fetch =
    typeof credentials === 'function'
      ? async (request) => {
          const send = chosen ?? choose(await resolve())
          // A token is asked for with each request; a key or an account only where it is sent.
          if (send === digest || send === bearer) chosen = send
          return send(request)
        }
      : choose(credentials)
  const home = `${new URL(baseUrl).origin}/`
  const guard =
    (send: Fetch): Fetch =>
    (request) =>
      request.url.startsWith(home) ? send(request) : next(request)
  return { api: guard(api), basic: guard(basic) }
}

/**
 * `Authorization` of the client-credentials grant: RFC 6749 §4.4.2, RFC 7617 §2 with UTF-8.
 *
 * @throws TypeError for credentials of another kind: there is nothing to ask a token for.
 */
function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  if (!clientId || !clientSecret) throw new TypeError('credentials: expected clientId and clientSecret')
  return `Basic ${btoa(String.fromCharCode(...encoder.encode(`${clientId}:${clientSecret}`)))}`
}
