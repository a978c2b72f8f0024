import { digestHeader, type KeyPair } from './digest.ts'

export type Identity =
  | ({ readonly kind: 'digest' } & KeyPair)
  | { readonly kind: 'token'; readonly clientId: string; readonly clientSecret: string }
  | { readonly kind: 'basic'; readonly clientId: string; readonly clientSecret: string }

export interface Outgoing {
  readonly method: string
  /** The server's address without a trailing slash. */
  readonly base: string
  /** The path and query, without the address. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Incoming {
  readonly status: number
  readonly reason: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly milliseconds: number
}

interface Tools {
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly cnonce: () => string
  readonly tokenPath: string
}

/** Sends a request and reads the response. Doesn't throw for error statuses. */
export async function exchange(request: Outgoing, identity: Identity, tools: Tools): Promise<Incoming> {
  const begun = tools.now()
  const response = await authenticated(request, identity, tools)
  return {
    status: response.status,
    reason: response.statusText,
    headers: [...response.headers],
    body: await response.text(),
    milliseconds: Math.round(tools.now() - begun),
  }
}

async function authenticated(request: Outgoing, identity: Identity, tools: Tools): Promise<Response> {
  const send = (authorization?: string) =>
    tools.fetch(request.base + request.target, {
      method: request.method,
      headers: { ...request.headers, ...(authorization && { Authorization: authorization }) },
      ...(request.body !== undefined && { body: request.body }),
      // Without this option, browsers show a password dialog when they receive a challenge.
      credentials: 'omit',
    })
  if (identity.kind === 'basic') return send(basic(identity))
  if (identity.kind === 'token') return send(`Bearer ${await requestToken(request.base, identity, tools)}`)
  const first = await send()
  const challenge = first.headers.get('www-authenticate')
  if (first.status !== 401 || !challenge?.startsWith('Digest')) return first
  const { method } = request
  const { pathname, search } = new URL(request.base + request.target, 'http://page.invalid')
  const uri = pathname + search
  return send(digestHeader(challenge, identity, { method, uri, cnonce: tools.cnonce() }))
}

const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string =>
  `Basic ${btoa(`${clientId}:${clientSecret}`)}`

const tokenCache = new Map<string, { token: string; until: number }>()

async function requestToken(
  base: string,
  account: { clientId: string; clientSecret: string },
  tools: Tools,
): Promise<string> {
  const key = `${base} ${account.clientId}`
  const known = tokenCache.get(key)
  if (known && known.until > tools.now()) return known.token
  const response = await tools.fetch(base + tools.tokenPath, {
    method: 'POST',
    headers: {
      Authorization: basic(account),
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
    credentials: 'omit',
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Could not get a token: ${response.status} ${text}`)
  const { access_token: token, expires_in: seconds } = JSON.parse(text)
  tokenCache.set(key, { token, until: tools.now() + Number(seconds) * 900 })
  return token
}
