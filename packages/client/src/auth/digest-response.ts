import { type Challenge, parseChallenges } from './challenge.ts'
import { findHash, type HashText } from './digest-hash.ts'

/** A challenge that we can answer, with the names of RFC 7616 §3.3. */
export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  readonly algorithm: string | undefined
  /** Undefined for a server of RFC 2069, which knows neither a client nonce nor a count. */
  readonly qop: 'auth' | 'auth-int' | undefined
  readonly stale: boolean
  readonly userhash: boolean
  readonly hash: HashText
}

/**
 * The strongest of the Digest challenges: SHA-256 before MD5 (RFC 7616 §3.7), and of two equally strong
 * ones the first, because the order is the server's preference.
 */
export function chooseChallenge(header: string): DigestChallenge | undefined {
  const usable = parseChallenges(header).flatMap(readChallenge)
  return usable.find(({ algorithm }) => /sha/i.test(algorithm ?? '')) ?? usable[0]
}

function readChallenge({ scheme, parameters }: Challenge): DigestChallenge[] {
  const { realm = '', nonce, opaque, algorithm } = parameters
  const hash = findHash(algorithm ?? 'MD5')
  const offered = parameters.qop?.split(/[\s,]+/)
  const qop = offered && (['auth', 'auth-int'] as const).find((each) => offered.includes(each))
  // A qop that is only of kinds we do not know cannot be answered.
  if (scheme !== 'digest' || nonce === undefined || !hash || (offered && !qop)) return []
  const [stale, userhash] = [parameters.stale, parameters.userhash].map((flag) => /^true$/i.test(flag ?? ''))
  return [{ realm, nonce, opaque, algorithm, qop, stale: !!stale, userhash: !!userhash, hash }]
}

/** What is hashed for one request. */
export interface DigestInput {
  readonly challenge: DigestChallenge
  readonly username: string
  /** H(A1), which depends on the request only through the client nonce of a `-sess` algorithm. */
  readonly ha1: string
  readonly method: string
  /** Path and query, as on the request line. */
  readonly uri: string
  readonly body: string | undefined
  /** The count of requests with this nonce, this one included. */
  readonly count: number
  readonly cnonce: string
}

/** H(A1) of RFC 7616 §3.4.2. With `-sess` it is made once per nonce and holds for all of its requests. */
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
export async function answerChallenge(input: DigestInput): Promise<string> {
  const { challenge, ha1, method, uri, cnonce } = input
  const { realm, nonce, opaque, algorithm, qop, userhash, hash } = challenge
  const entity = qop === 'auth-int' ? `:${await hash(input.body ?? '')}` : ''
  const ha2 = await hash(`${method}:${uri}${entity}`)
  // Eight hexadecimal digits, not decimal ones: RFC 7616 §3.4, nc.
  const nc = input.count.toString(16).padStart(8, '0')
  const response = await hash(
    qop ? `${ha1}:${nonce}:${nc}:${cnonce}:${qop}:${ha2}` : `${ha1}:${nonce}:${ha2}`,
  )
  const username = userhash ? await hash(`${input.username}:${realm}`) : input.username
  const fields = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    algorithm && `algorithm=${algorithm}`,
    `response="${response}"`,
    opaque !== undefined && `opaque="${opaque}"`,
    qop && `qop=${qop}, nc=${nc}, cnonce="${cnonce}"`,
    userhash && 'userhash=true',
  ]
  return `Digest ${fields.filter(Boolean).join(', ')}`
}
