import type { DigestInput } from './digest.ts'

/** A programmatic API key for HTTP Digest authentication. */
export interface ApiKey {
  readonly publicKey: string
  readonly privateKey: string
}

/** A service account for the OAuth 2.0 client credentials grant. */
export interface ServiceAccount {
  readonly clientId: string
  readonly clientSecret: string
}

/** The authorization of a request. Checks can send wrong credentials on purpose. */
export type Authorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'digest'; readonly key: ApiKey; readonly spoil?: (input: DigestInput) => DigestInput }
  | { readonly kind: 'bearer'; readonly account: ServiceAccount }
  | { readonly kind: 'basic'; readonly account: ServiceAccount; readonly genuine: boolean }
  /** Sends this header value unchanged. */
  | { readonly kind: 'verbatim'; readonly value: string }

export const anonymous: Authorization = { kind: 'none' }

/** Returns whether the credentials are valid. Reports must not contain valid credentials. */
export const isGenuine = (authorization: Authorization): boolean =>
  authorization.kind === 'bearer' ||
  (authorization.kind === 'digest' && authorization.spoil === undefined) ||
  (authorization.kind === 'basic' && authorization.genuine)

/** Encodes a name and a password for Basic authentication (RFC 7617 §2). */
export const basicCredentials = (name: string, password: string): string =>
  Buffer.from(`${name}:${password}`, 'utf8').toString('base64')

export const basicAuthorization = ({ clientId, clientSecret }: ServiceAccount): string =>
  `Basic ${basicCredentials(clientId, clientSecret)}`
