import { tokenOperation } from '#tables/constants'
import { attempt } from '../attempt.ts'
import { ApiError, ParseError } from '../errors.ts'
import type { Fetch } from '../fetch.ts'
import { createContext } from '../operation-row.ts'
import { buildRequest } from '../request.ts'
import { type RetryState, withRetry } from '../retry.ts'
import type { RetryPolicy } from '../retry-policy.ts'
import { AuthenticationError } from '../status-errors.ts'
import type { RateWindow } from './rate-window.ts'
import type { Token } from './token-source.ts'

export interface TokenRequestOptions {
  /** Adds the client credentials; without middleware, so that logs never see them. */
  readonly send: Fetch
  readonly baseUrl: string
  readonly state: RetryState
  readonly policy: RetryPolicy
  readonly timeoutMs: number
  readonly window: RateWindow
}

const form = { body: { grant_type: 'client_credentials' } }

/**
 * Asks for a token once; the call that needs it repeats it by its own rules. The limit of the endpoint is
 * kept in two ways: requests are counted here, and what a 429 asks for is waited for.
 */
export function createTokenRequest(options: TokenRequestOptions): () => Promise<Token> {
  const { send, baseUrl, state, timeoutMs, window } = options
  const policy = { ...options.policy, maxRetries: 0 }
  return async () => {
    const context = createContext(tokenOperation, tokenOperation.versions[0] ?? '')
    const request = buildRequest(tokenOperation, form, { baseUrl, headers: [], context })
    await window(context)
    try {
      const call = { context, policy, repeatable: false, totalTimeoutMs: timeoutMs }
      const { clock } = state
      const { response, text } = await withRetry(call, state, () =>
        attempt(send, request, { clock, timeoutMs }),
      )
      const token = readToken(text, clock.now())
      // The body is not quoted: what is there of it may be half a token.
      if (!token) throw new ParseError(context, response, 'no access token in it')
      return token
    } catch (error) {
      const refused = error instanceof ApiError && [400, 401, 403].includes(error.status)
      throw refused ? new AuthenticationError(context, error) : error
    }
  }
}

/** The answer of RFC 6749 §5.1. */
function readToken(text: string, now: number): Token | undefined {
  try {
    const { access_token: accessToken, expires_in: seconds = 0 } = JSON.parse(text)
    if (typeof accessToken !== 'string') return undefined
    return { accessToken, issuedAt: now, expiresAt: now + Number(seconds) * 1000 }
  } catch {
    return undefined
  }
}
