import { realm } from './digest.ts'

/** The challenge in the token endpoint's 401 responses (RFC 7617). */
export const basicChallenge = `Basic realm="${realm}"`

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** Parses `Authorization: Basic …`. The client ID and secret are form-encoded (RFC 6749 §2.3.1). */
export function parseBasic(header: string | undefined): ClientCredentials | undefined {
  const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '')
  if (!match?.[1]) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const clientId = formDecode(text.slice(0, colon))
  const clientSecret = formDecode(text.slice(colon + 1))
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
