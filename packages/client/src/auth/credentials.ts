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

export type StaticCredentials = DigestCredentials | ClientCredentials | AccessToken

/** The function is called again whenever a challenge is answered or a token asked for. */
export type Credentials = StaticCredentials | (() => StaticCredentials | Promise<StaticCredentials>)

export interface AuthenticationOptions {
  readonly credentials: Credentials | undefined
  /** Credentials go to this origin and to no other. */
  readonly origin: string
  readonly clock: Clock
  readonly store?: TokenStore | undefined
  /** Makes the request for a token from a `Fetch` that adds the client credentials. */
  readonly requestToken: (send: Fetch) => () => Promise<Token>
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
  // Which kind they are was seen before; a function that changes it later finds its call refused.
  const resolve = async <Kind extends StaticCredentials>(): Promise<Kind> =>
    (typeof credentials === 'function' ? await credentials() : credentials) as Kind

  const digest = withDigest(() => resolve<DigestCredentials>())(next)
  const client = () => resolve<ClientCredentials>()
  const basic: Fetch = async (request) =>
    next(withHeaders(request, { authorization: basicAuthorization(await client()) }))
  const tokens = createTokenSource({
    clock: options.clock,
    store: options.store,
    request: options.requestToken(basic),
    key: async () => `${origin} ${(await client()).clientId}`,
  })
  const bearer = withBearer(tokens)(next)

  let kind: StaticCredentials | undefined
  const api: Fetch = async (request) => {
    kind ??= await resolve()
    if ('privateKey' in kind) return digest(request)
    if ('clientSecret' in kind) return bearer(request)
    const { accessToken } = await resolve<AccessToken>()
    return next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
  }
  const guard =
    (send: Fetch): Fetch =>
    (request) =>
      request.url.startsWith(`${origin}/`) ? send(request) : next(request)
  return { api: guard(api), basic: guard(basic) }
}

/** `Authorization` of the client-credentials grant: RFC 6749 §4.4.2, RFC 7617 §2 with UTF-8. */
function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  return `Basic ${btoa(String.fromCharCode(...encoder.encode(`${clientId}:${clientSecret}`)))}`
}
