import { createHash, randomBytes } from 'node:crypto'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** The parts of Digest credentials that tests can set. All other parts are valid. */
export interface DigestParts {
  readonly username: string
  readonly secret: string
  readonly nonce: string
  readonly method: string
  readonly uri: string
  readonly count?: number
  readonly realm?: string
  readonly qop?: string
  readonly algorithm?: string
  readonly cnonce?: string
}

/** Builds an `Authorization` header as defined in RFC 7616, independently of the server's code. */
export function digestHeader(parts: DigestParts): string {
  const { username, secret, nonce, method, uri, realm = 'svc-admin', qop = 'auth', algorithm = 'MD5' } = parts
  const cnonce = parts.cnonce ?? randomBytes(8).toString('hex')
  const nc = (parts.count ?? 1).toString(16).padStart(8, '0')
  const ha1 = md5(`${username}:${realm}:${secret}`)
  const response = md5(`${ha1}:${nonce}:${nc}:${cnonce}:${qop}:${md5(`${method}:${uri}`)}`)
  return (
    `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", qop=${qop}, ` +
    `algorithm=${algorithm}, nc=${nc}, cnonce="${cnonce}", response="${response}"`
  )
}

/** Returns the nonce in a challenge. */
export function nonceOf(challenge: string | null): string {
  const nonce = /nonce="([^"]+)"/.exec(challenge ?? '')?.[1]
  if (nonce === undefined) throw new Error(`No nonce in ${challenge}`)
  return nonce
}
