import { md5 } from './md5.ts'

export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

export interface DigestRequest {
  readonly method: string
  /** The request's path and query. */
  readonly uri: string
  readonly cnonce: string
}

/** Returns a challenge's fields (RFC 7616 §3.3). */
export function parseChallenge(header: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name = '', quoted, bare] of header.matchAll(/(\w+)=(?:"((?:\\.|[^"\\])*)"|([^\s,]+))/g))
    fields[name.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
  return fields
}

/** Returns the `Authorization` header for a challenge (RFC 7616 §3.4). */
export function digestHeader(
  challenge: string,
  keys: KeyPair,
  { method, uri, cnonce }: DigestRequest,
): string {
  const { realm = '', nonce = '', opaque, algorithm = 'MD5' } = parseChallenge(challenge)
  const nc = '00000001'
  const secret = md5(`${keys.publicKey}:${realm}:${keys.privateKey}`)
  const request = md5(`${method}:${uri}`)
  const response = md5([secret, nonce, nc, cnonce, 'auth', request].join(':'))
  const fields = [
    `username="${keys.publicKey}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `algorithm=${algorithm}`,
    'qop=auth',
    `nc=${nc}`,
    `cnonce="${cnonce}"`,
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ]
  return `Digest ${fields.join(', ')}`
}
