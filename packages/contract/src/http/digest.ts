import { createHash } from 'node:crypto'

/** The input for calculating a Digest response (RFC 7616 §3.4). Checks can deliberately pass incorrect values. */
export interface DigestInput {
  readonly username: string
  readonly password: string
  readonly realm: string
  readonly nonce: string
  readonly method: string
  readonly uri: string
  /** The number of requests with this nonce, including the current one. */
  readonly count: number
  readonly cnonce: string
  readonly opaque?: string | undefined
  /** The algorithm. The default is `MD5` (RFC 7616 §3.3). */
  readonly algorithm?: string | undefined
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Formats the nonce count as eight hexadecimal digits (RFC 7616 §3.4). */
const hexCount = (count: number): string => count.toString(16).padStart(8, '0')

/** Calculates the `response` parameter as H(H(A1):nonce:nc:cnonce:auth:H(A2)) (RFC 7616 §3.4.1). */
export const digestResponse = (input: DigestInput): string => {
  const secret = md5(`${input.username}:${input.realm}:${input.password}`)
  const target = md5(`${input.method}:${input.uri}`)
  return md5([secret, input.nonce, hexCount(input.count), input.cnonce, 'auth', target].join(':'))
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Returns a complete `Authorization` header value. `qop`, `nc` and `algorithm` must not be quoted (RFC 7616 §3.4). */
export const digestAuthorization = (input: DigestInput): string => {
  const parts = [
    `username=${quote(input.username)}`,
    `realm=${quote(input.realm)}`,
    `nonce=${quote(input.nonce)}`,
    `uri=${quote(input.uri)}`,
    `response="${digestResponse(input)}"`,
    'qop=auth',
    `nc=${hexCount(input.count)}`,
    `cnonce=${quote(input.cnonce)}`,
  ]
  if (input.algorithm !== undefined) parts.push(`algorithm=${input.algorithm}`)
  if (input.opaque !== undefined) parts.push(`opaque=${quote(input.opaque)}`)
  return `Digest ${parts.join(', ')}`
}
