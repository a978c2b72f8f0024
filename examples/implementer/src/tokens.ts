import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { limits, type TokenErrorCode, tokenErrors } from '@svc-admin/types'
import { type Holder, listsAddress, same, sha256 } from './holders.ts'

// Service accounts: the token endpoint (RFC 6749 §4.4) and its tokens (RFC 6750).

interface Account {
  readonly secretHash: string
  readonly holder: Holder
  /** The times of the service account's recent token requests. */
  requests: number[]
}

const hashed = (secret: string): string => sha256(secret).toString('hex')

export class TokenError extends Error {
  readonly code: TokenErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: TokenErrorCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail)
    this.code = code
    this.headers = headers
  }

  get status(): number {
    return tokenErrors[this.code].status
  }
}

/** Returns the client ID and secret from HTTP Basic credentials. */
const basic = (header: string | undefined): [string, string] | undefined => {
  const encoded = /^basic +([a-z0-9+/=_-]+)$/i.exec(header ?? '')?.[1]
  const pair = encoded && Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair ? pair.indexOf(':') : -1
  return pair && colon > 0 ? [pair.slice(0, colon), pair.slice(colon + 1)] : undefined
}

export class Tokens {
  readonly #accounts = new Map<string, Account>()
  readonly #tokens = new Map<string, { readonly holder: Holder; readonly ends: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(clientId: string, clientSecret: string, holder: Holder): void {
    this.#accounts.set(clientId, { secretHash: hashed(clientSecret), holder, requests: [] })
  }

  /** Returns a token's holder, or undefined if the token is unknown or has expired. */
  check(token: string): Holder | undefined {
    const found = this.#tokens.get(hashed(token))
    return found && this.#now() < found.ends ? found.holder : undefined
  }

  /** @throws TokenError if the request is invalid or rejected. */
  issue(request: IncomingMessage, form: string, address: string): object {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/x-www-form-urlencoded')
      throw new TokenError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
    const account = this.#authenticate(request.headers.authorization)
    this.#count(account)
    if (!listsAddress(account.holder.accessList, address))
      throw new TokenError('access_denied', tokenErrors.access_denied.description)
    const grant = new URLSearchParams(form).getAll('grant_type')
    if (grant.length !== 1)
      throw new TokenError('invalid_request', 'The form must contain exactly one grant_type.')
    if (grant[0] !== 'client_credentials')
      throw new TokenError('unsupported_grant_type', 'The only supported grant_type is client_credentials.')
    const token = `alerts_${randomBytes(24).toString('base64url')}`
    this.#tokens.set(hashed(token), {
      holder: account.holder,
      ends: this.#now() + limits.tokenLifetime.seconds * 1000,
    })
    return { access_token: token, token_type: 'Bearer', expires_in: limits.tokenLifetime.seconds }
  }

  #authenticate(header: string | undefined): Account {
    const [clientId, secret] = basic(header) ?? ['', '']
    const account = this.#accounts.get(clientId)
    if (account && same(account.secretHash, hashed(secret))) return account
    throw new TokenError('invalid_client', tokenErrors.invalid_client.description, {
      'WWW-Authenticate': 'Basic realm="alerts"',
    })
  }

  #count(account: Account): void {
    const { maximum, windowSeconds } = limits.tokenRequests
    const now = this.#now()
    account.requests = account.requests.filter((time) => time > now - windowSeconds * 1000 && time <= now)
    const [first = now] = account.requests
    if (account.requests.length < maximum) account.requests.push(now)
    else
      throw new TokenError('rate_limited', tokenErrors.rate_limited.description, {
        'Retry-After': String(Math.max(1, Math.ceil((first + windowSeconds * 1000 - now) / 1000))),
      })
  }
}
