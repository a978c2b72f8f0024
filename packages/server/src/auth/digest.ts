import { md5, sameText } from './secrets.ts'

/** The realm, which is part of every challenge and every stored HA1. Changing the realm invalidates all API keys. */
export const realm = 'svc-admin'

/** The Digest parameters that the server uses (RFC 7616 §3.4). */
export interface DigestCredentials {
  readonly username: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly cnonce: string
  /** The nonce count as sent by the client, as eight hexadecimal digits. */
  readonly nc: string
  readonly count: number
}

/** Returns the challenge for a 401 response (RFC 7616 §3.3). */
export function digestChallenge(nonce: string, stale: boolean): string {
  return `Digest realm="${realm}", qop="auth", nonce="${nonce}", algorithm=MD5, stale=${stale}`
}

/** Returns HA1, the hash that the server stores instead of a secret (RFC 7616 §3.4.2). */
export const ha1Of = (username: string, secret: string): string => md5(`${username}:${realm}:${secret}`)

/**
 * Parses the credentials that follow `Digest `. Returns undefined if the credentials don't match the server's
 * challenge.
 */
export function parseDigest(text: string): DigestCredentials | undefined {
  const parameters = parseParameters(text)
  if (!parameters) return undefined
  const get = (name: string) => parameters.get(name) ?? ''
  const algorithm = parameters.get('algorithm') ?? 'MD5'
  const matchesChallenge =
    algorithm.toUpperCase() === 'MD5' && get('qop') === 'auth' && get('realm') === realm
  const wellFormed = /^[0-9a-f]{8}$/i.test(get('nc')) && /^[0-9a-f]{32}$/i.test(get('response'))
  const complete = ['username', 'nonce', 'uri', 'cnonce'].every((name) => get(name) !== '')
  // A request must not contain both `username` and `username*` (RFC 7616 §3.4).
  // Hashed and extended usernames aren't supported.
  const plainName = !parameters.has('username*') && parameters.get('userhash') !== 'true'
  if (!matchesChallenge || !wellFormed || !complete || !plainName) return undefined
  return {
    username: get('username'),
    nonce: get('nonce'),
    uri: get('uri'),
    response: get('response').toLowerCase(),
    cnonce: get('cnonce'),
    nc: get('nc'),
    count: Number.parseInt(get('nc'), 16),
  }
}

/** Verifies the client's response for `qop=auth` (RFC 7616 §3.4.1). */
export function isValidResponse(credentials: DigestCredentials, ha1: string, method: string): boolean {
  const { nonce, nc, cnonce, uri, response } = credentials
  const expected = md5(`${ha1}:${nonce}:${nc}:${cnonce}:auth:${md5(`${method}:${uri}`)}`)
  return sameText(expected, response)
}

/**
 * Matches one of several comma-separated `name=value` pairs (RFC 9110 §11.2). Each value is a token or a quoted string.
 */
const parameter = /[\s,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?=,|$)/gy

function parseParameters(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>()
  parameter.lastIndex = 0
  let end = 0
  for (;;) {
    const match = parameter.exec(text)
    if (!match) break
    end = parameter.lastIndex
    const [, rawName = '', quoted, token = ''] = match
    const name = rawName.toLowerCase()
    // Repeated parameters are rejected because a proxy may interpret them differently.
    if (parameters.has(name)) return undefined
    parameters.set(name, quoted === undefined ? token : unquote(quoted))
  }
  return end === text.length || /^[\s,]*$/.test(text.slice(end)) ? parameters : undefined
}

const unquote = (quoted: string): string => (quoted.includes('\\') ? quoted.replace(/\\(.)/g, '$1') : quoted)
