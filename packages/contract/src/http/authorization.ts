import type { DigestInput } from './digest.ts'

/** A programmatic API key: HTTP Digest. */
export interface ApiKey {
  readonly publicKey: string
  readonly privateKey: string
}

/** A service account: OAuth 2.0 client credentials. */
export interface ServiceAccount {
  readonly clientId: string
  readonly clientSecret: string
}

/** How a request is authorized: well, or wrongly on purpose. */
export type Authorization =
  | { readonly kind: 'none' }
  | { readonly kind: 'digest'; readonly key: ApiKey; readonly spoil?: (input: DigestInput) => DigestInput }
  | { readonly kind: 'bearer'; readonly account: ServiceAccount }
  | { readonly kind: 'basic'; readonly account: ServiceAccount; readonly genuine: boolean }
  /** A value that is sent as it stands. */
  | { readonly kind: 'verbatim'; readonly value: string }

export const anonymous: Authorization = { kind: 'none' }

/** Whether the credentials are good ones, which no report may show. */
export const isGenuine = (authorization: Authorization): boolean =>
  authorization.kind === 'bearer' ||
  (authorization.kind === 'digest' && authorization.spoil === undefined) ||
  (authorization.kind === 'basic' && authorization.genuine)

/** A name and a password as Basic has them (RFC 7617 §2). */
export const basicCredentials = (name: string, password: string): string =>
  Buffer.from(`${name}:${password}`, 'utf8').toString('base64')

/** The value of a Basic `Authorization` header. */
export const basicAuthorization = ({ clientId, clientSecret }: ServiceAccount): string =>
  `Basic ${basicCredentials(clientId, clientSecret)}`
