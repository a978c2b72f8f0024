import { tokenOperation } from '#tables/constants'
import { attempt } from '../attempt.ts'
import { ApiError, ClientError, ParseError } from '../errors.ts'
import type { Fetch } from '../fetch.ts'
import { createContext } from '../operation-row.ts'
import { buildRequest } from '../request.ts'
import { parseRecord, readString } from '../response.ts'
import { withRetry } from '../retry.ts'
import type { SendSettings } from '../send-settings.ts'
import { AuthenticationError } from '../status-errors.ts'
import type { Token } from './token-source.ts'

const form = { body: { grant_type: 'client_credentials' } }

/**
 * Creates a function that requests a token once. If the request fails, the call that needs the token decides whether to
 * retry. The function counts its requests and reads `Retry-After` from 429 responses to stay within the token
 * endpoint's rate limit.
 *
 * @param send Adds the client credentials and sends the request. This request doesn't pass through
 *   middleware, so logs never contain the credentials.
 */
export function createTokenRequest(
  send: Fetch,
  { baseUrl, state, timeoutMs, policy: settings }: SendSettings,
): () => Promise<Token> {
  const policy = { ...settings, maxRetries: 0 }
  return async () => {
    const context = createContext(tokenOperation, tokenOperation.versions[0] as string)
    const request = buildRequest(tokenOperation, form, { baseUrl, headers: [], context })
    try {
      // The request has no total timeout, but its duration is limited by the attempt timeout and the maximum pause.
      const call = { context, policy, totalTimeoutMs: Infinity }
      const { clock } = state
      const { response, text } = await withRetry(call, state, () =>
        attempt(send, request, { clock, timeoutMs }),
      )
      const issuedAt = clock.now()
      // The response format is defined in RFC 6749 §5.1.
      const { access_token, expires_in } = parseRecord(text)
      const accessToken = readString(access_token)
      // The message doesn't quote the body, because the body may contain part of the token.
      if (!accessToken) throw new ParseError(context, response, 'no access token')
      // If the response doesn't specify a lifetime, the client uses the token until the server rejects it.
      const lifetime = Number.parseFloat(expires_in as string) * 1000
      return {
        accessToken,
        issuedAt,
        expiresAt: lifetime >= 0 ? issuedAt + lifetime : 9e15,
      }
    } catch (error) {
      const rejected = error instanceof ApiError && [400, 401, 403].includes(error.status)
      const thrown = rejected ? new AuthenticationError(context, error) : error
      // The message mentions the token request because the application didn't call this operation itself.
      // All calls that wait for the token share this error.
      if (thrown instanceof ClientError) thrown.message += ' (token request)'
      throw thrown
    }
  }
}
