import { type Challenge, parseChallenges } from './challenge.ts'
import { findHash, type HashText } from './digest-hash.ts'

/** A supported challenge, with the names of RFC 7616 §3.3. */
export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque?: string
  readonly algorithm?: string
  /** `auth`; undefined for a server of RFC 2069, which supports neither a client nonce nor a count. */
  readonly qop: string | undefined
  readonly stale: boolean
  readonly hash: HashText
}

/**
 * Chooses the strongest Digest challenge: SHA-256 before MD5 (RFC 7616 §3.7). Of equally strong ones, the
 * first, because the order is the server's preference.
 */
export function chooseChallenge(header: string): DigestChallenge | undefined {
  const usable = parseChallenges(header).flatMap(readChallenge)
  return usable.find(({ algorithm }) => /sha/i.test(algorithm ?? '')) ?? usable[0]
}

function readChallenge({ scheme, parameters }: Challenge): DigestChallenge[] {
  const { realm = '', nonce, algorithm, qop, stale = '' } = parameters
  const hash = findHash(algorithm ?? 'MD5')
  // Challenges that offer only an unsupported qop (`auth-int`) can't be used.
  const supported = /\bauth\b(?!-)/.test(qop ?? 'auth')
  if (scheme !== 'digest' || nonce === undefined || !hash || !supported) return []
  return [{ ...parameters, realm, nonce, qop: qop && 'auth', stale: /^true$/i.test(stale), hash }]
}

/** Input of the hash for one request. */
export interface DigestInput {
  readonly challenge: DigestChallenge
  readonly username: string
  /** H(A1). With a `-sess` algorithm it includes the client nonce. */
  readonly ha1: string | Promise<string>
  readonly method: string
  /** Path and query, as in the request line. */
  readonly uri: string
  /** Number of requests with this nonce, including this one. */
  readonly count: number
  readonly cnonce: string
}

/** H(A1) of RFC 7616 §3.4.2. With `-sess` it is calculated once per nonce. */
export async function hashA1(
  { realm, nonce, algorithm, hash }: DigestChallenge,
  username: string,
  password: string,
  cnonce: string,
): Promise<string> {
  const ha1 = await hash(`${username}:${realm}:${password}`)
  return /-sess$/i.test(algorithm ?? '') ? hash(`${ha1}:${nonce}:${cnonce}`) : ha1
}

/** The value of `Authorization`: RFC 7616 §3.4. */
export async function respondToChallenge(input: DigestInput): Promise<string> {
  const { username, uri, cnonce } = input
  const { realm, nonce, opaque, algorithm, qop, hash } = input.challenge
  const ha1 = await input.ha1
  const ha2 = await hash(`${input.method}:${uri}`)
  // Eight hexadecimal digits: RFC 7616 §3.4, nc.
  const nc = input.count.toString(16).padStart(8, '0')
  const response = await hash(`${ha1}:${nonce}:${qop ? `${nc}:${cnonce}:${qop}:` : ''}${ha2}`)
  let header = `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`
  if (algorithm) header += `, algorithm=${algorithm}`
  if (opaque !== undefined) header += `, opaque="${opaque}"`
  if (qop) header += `, qop=${qop}, nc=${nc}, cnonce="${cnonce}"`
  return header
}
