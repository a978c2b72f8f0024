import { type Challenge, parseChallenges } from './challenge.ts'
import { hashText } from './digest-hash.ts'

/** A challenge that the client supports. The field names follow RFC 7616 §3.3. */
export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque?: string
  readonly algorithm?: string
  /** `auth`, or `undefined` if the server implements RFC 2069, which has neither a client nonce nor a nonce count. */
  readonly qop: string | undefined
  readonly stale: boolean
  /** Whether to use SHA-256 instead of MD5. */
  readonly strong: boolean
  /** Whether the algorithm is a `-sess` algorithm, in which H(A1) includes the nonces. */
  readonly session: boolean
}

/**
 * Chooses the strongest Digest challenge, with SHA-256 before MD5 (RFC 7616 §3.7). Among equally strong challenges,
 * chooses the first because servers list their preferred algorithm first.
 */
export function chooseChallenge(header: string): DigestChallenge | undefined {
  const usable = parseChallenges(header).flatMap(readChallenge)
  return usable.find(({ strong }) => strong) ?? usable[0]
}

function readChallenge({ scheme, parameters }: Challenge): DigestChallenge[] {
  const { realm = '', nonce, algorithm, qop, stale = '' } = parameters
  // Algorithm names are defined in RFC 7616 §6.1.
  const [known, sha, session] = /^(?:md5|(sha-256))(-sess)?$/i.exec(algorithm ?? 'md5') ?? []
  // Skip challenges that offer only `auth-int`, because the client doesn't support it.
  const supported = /\bauth\b(?!-)/.test(qop ?? 'auth')
  const usable = known && (!sha || crypto.subtle)
  if (scheme !== 'digest' || nonce === undefined || !usable || !supported) return []
  return [
    {
      ...parameters,
      realm,
      nonce,
      qop: qop && 'auth',
      stale: /^true$/i.test(stale),
      strong: !!sha,
      session: !!session,
    },
  ]
}

/** A server nonce and the data that the client needs to reuse it. */
export interface DigestSession {
  readonly challenge: DigestChallenge
  readonly username: string
  readonly ha1: string
  /**
   * The client nonce, which stays the same until the server sends a new nonce. `-sess` requires this. The nonce count
   * still makes each request unique.
   */
  readonly cnonce: string
  /** The number of requests with this nonce, including the current one. */
  count: number
}

/** Calculates H(A1) according to RFC 7616 §3.4.2. The result stays the same for all requests with the same nonce. */
export async function hashA1(
  { realm, nonce, strong, session }: DigestChallenge,
  username: string,
  password: string,
  cnonce: string,
): Promise<string> {
  const ha1 = await hashText(`${username}:${realm}:${password}`, strong)
  return session ? hashText(`${ha1}:${nonce}:${cnonce}`, strong) : ha1
}

/**
 * Creates the value for the `Authorization` header (RFC 7616 §3.4).
 *
 * @param uri The path and query, as in the request line.
 */
export async function respondToChallenge(
  { challenge, username, ha1, cnonce, count }: DigestSession,
  method: string,
  uri: string,
): Promise<string> {
  const { realm, nonce, opaque, algorithm, qop, strong } = challenge
  const ha2 = await hashText(`${method}:${uri}`, strong)
  // The nonce count has eight hexadecimal digits (RFC 7616 §3.4, nc).
  const nc = count.toString(16).padStart(8, '0')
  const response = await hashText(`${ha1}:${nonce}:${qop ? `${nc}:${cnonce}:${qop}:` : ''}${ha2}`, strong)
  let header = `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`
  if (algorithm) header += `, algorithm=${algorithm}`
  if (opaque !== undefined) header += `, opaque="${opaque}"`
  if (qop) header += `, qop=${qop}, nc=${nc}, cnonce="${cnonce}"`
  return header
}
