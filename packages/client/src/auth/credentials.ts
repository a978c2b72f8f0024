import { tokenOperation } from '#tables/constants'
import type { Clock } from '../clock.ts'
import { type Fetch, withHeaders } from '../fetch.ts'
import { type DigestCredentials, withDigest } from './digest.ts'
import { encoder } from './digest-hash.ts'
import { withBearer } from './oauth.ts'
import { createTokenSource, type Token, type TokenStore } from './token-source.ts'

/** A service account's credentials. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** An access token that you obtained yourself. */
export interface AccessToken {
  readonly accessToken: string
}

type AnyCredentials = DigestCredentials & ClientCredentials & AccessToken

/** Credentials of any kind. */
export type StaticCredentials = DigestCredentials | ClientCredentials | AccessToken

/**
 * Credentials, or a function that returns them. The client calls the function for each Digest challenge and each token
 * request. If the function returns access tokens, the client calls the function for each request.
 */
export type Credentials = StaticCredentials | (() => StaticCredentials | Promise<StaticCredentials>)

export interface AuthenticationOptions {
  readonly credentials?: Credentials | undefined
  /** The client sends credentials only to this URL's origin. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly tokenStore?: TokenStore | undefined
  /** Requests a token through the `Fetch` that `authenticate` returns. */
  readonly request: () => Promise<Token>
}

/**
 * Adds the credentials that an operation requires. Requests to the token endpoint contain the client credentials. For
 * all other operations, the kind of credentials determines the authentication scheme.
 *
 * @throws TypeError for unknown credentials. If you pass a function, its result is checked when it is first needed.
 */
export function authenticate(next: Fetch, options: AuthenticationOptions): Fetch {
  const { credentials, baseUrl } = options
  if (!credentials) return next
  // The function's first result determines the kind of credentials.
  // If the function later returns a different kind, the server rejects the request.
  const resolve = async () =>
    (typeof credentials === 'function' ? credentials() : credentials) as Promise<AnyCredentials>

  const digest = withDigest(next, resolve)
  // Token requests use Basic authentication (RFC 6749 §4.4.2, RFC 7617 §2) with UTF-8.
  // Only client credentials can be exchanged for a token.
  const basic: Fetch = async (request) => {
    const { clientId, clientSecret } = await resolve()
    if (!clientId || !clientSecret) throw new TypeError('credentials: expected clientId and clientSecret')
    const encoded = btoa(String.fromCharCode(...encoder.encode(`${clientId}:${clientSecret}`)))
    return next(withHeaders(request, { authorization: `Basic ${encoded}` }))
  }
  const tokens = createTokenSource({
    ...options,
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
        'credentials: expected clientId and clientSecret, publicKey and privateKey or accessToken',
      )
    }
    return (request) => next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
  }
  let method = typeof credentials === 'function' ? undefined : choose(credentials)
  const origin = `${new URL(baseUrl).origin}/`
  const callFunction: Fetch = async (request) => {
    const send = choose(await resolve())
    // A function that returns access tokens is called for every request.
    // Other functions are called only for challenges and token requests.
    if (send === digest || send === bearer) method = send
    return send(request)
  }
  return (request) => {
    if (!request.url.startsWith(origin)) return next(request)
    if (request.context.operationId === tokenOperation.id) return basic(request)
    return (method ?? callFunction)(request)
  }
}
