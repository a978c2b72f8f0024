import type { Clock } from '../clock.ts'
import { createApiError } from '../create-api-error.ts'
import { withDeadline } from '../deadline.ts'
import { ParseError, TimeoutError } from '../errors.ts'
import type { ApiRequest, CallContext, Fetch } from '../fetch.ts'
import { parseRetryAfter } from '../retry-after.ts'
import type { RetryPolicy } from '../retry-policy.ts'
import { AuthenticationError, RateLimitError } from '../status-errors.ts'
import type { RateWindow } from './rate-window.ts'
import type { Token } from './token-source.ts'

/** A service account. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

export interface TokenRequestOptions {
  readonly credentials: () => Promise<ClientCredentials>
  readonly url: string
  /** How the errors of the token request name it. */
  readonly operation: Omit<CallContext, 'attempts'>
  /** The innermost fetch: middleware and logs never see a client secret. */
  readonly fetch: Fetch
  readonly clock: Clock
  readonly policy: RetryPolicy
  readonly timeoutMs: number
  readonly window: RateWindow
}

interface TokenAnswer {
  readonly access_token?: unknown
  readonly expires_in?: unknown
  readonly error?: unknown
  readonly error_description?: unknown
}

/** `Authorization` of the client-credentials grant: RFC 6749 §4.4.2, RFC 7617 §2 with UTF-8. */
export function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/**
 * Asks for a token. The endpoint's limit is kept in two ways: requests are counted here, and a 429 with
 * `Retry-After` is waited for, or thrown at once where the wait is too long.
 */
export function createTokenRequest(options: TokenRequestOptions): () => Promise<Token> {
  const { clock, policy, window } = options
  return async () => {
    const context = { ...options.operation, attempts: 0 }
    const authorization = basicAuthorization(await options.credentials())
    for (;;) {
      await window.pass(context)
      context.attempts += 1
      const { response, text } = await send(options, context, authorization)
      if (response.ok) return readToken(context, response, text, clock.now())
      const error = readError(context, response, text, clock.now())
      const wait = error.retryAfterMs
      if (wait === undefined) throw error
      window.close(wait)
      if (wait > policy.maxRetryAfterMs || context.attempts > policy.maxRetries) throw error
    }
  }
}

function send(
  { url, fetch, clock, timeoutMs }: TokenRequestOptions,
  context: CallContext,
  authorization: string,
): Promise<{ response: Response; text: string }> {
  const headers = {
    accept: 'application/json',
    authorization,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const request: Omit<ApiRequest, 'signal'> = {
    url,
    method: context.method,
    headers,
    body: 'grant_type=client_credentials',
    context,
  }
  return withDeadline(
    async (signal) => {
      const response = await fetch({ ...request, signal })
      return { response, text: await response.text() }
    },
    { clock, timeoutMs, onTimeout: () => new TimeoutError(context, timeoutMs) },
  )
}

function readToken(context: CallContext, response: Response, text: string, now: number): Token {
  const { access_token: accessToken, expires_in: lifetime } = parse(text)
  // The body is never quoted: what is there of it may be half a token.
  if (typeof accessToken !== 'string' || !accessToken) {
    throw new ParseError(context, response, 'no access token in it')
  }
  const seconds = typeof lifetime === 'number' && lifetime > 0 ? lifetime : 0
  return { accessToken, issuedAt: now, expiresAt: now + seconds * 1000 }
}

/** The errors of RFC 6749 §5.2. Those that say that the credentials are at fault are of one class. */
function readError(context: CallContext, response: Response, text: string, now: number) {
  const { error, error_description: description } = parse(text)
  const { status, headers } = response
  const problem = {
    status,
    errorCode: typeof error === 'string' ? error : undefined,
    detail: typeof description === 'string' ? description : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers, now),
  }
  if (status === 429) return new RateLimitError(context, { ...problem, status })
  return status >= 400 && status < 500
    ? new AuthenticationError(context, problem)
    : createApiError(context, problem)
}

function parse(text: string): TokenAnswer {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
