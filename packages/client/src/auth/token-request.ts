import { tokenOperation } from '#tables/constants'
import { parseRecord, readString } from '../answer.ts'
import { attempt } from '../attempt.ts'
import { ApiError, ClientError, ParseError } from '../errors.ts'
import type { Fetch } from '../fetch.ts'
import { createContext } from '../operation-row.ts'
import { buildRequest } from '../request.ts'
import { withRetry } from '../retry.ts'
import type { SendSettings } from '../send-settings.ts'
import { AuthenticationError } from '../status-errors.ts'
import type { Token } from './token-source.ts'

const form = { body: { grant_type: 'client_credentials' } }

/**
 * Asks for a token once; the call that needs it repeats it by its own rules. The limit of the endpoint is
 * kept in two ways, both by the pause in `state`: requests are counted, and a 429 is heeded.
 *
 * @param send adds the client credentials; without middleware, so that logs never see them.
 */
export function createTokenRequest(
  send: Fetch,
  { baseUrl, state, timeoutMs, policy: given }: SendSettings,
): () => Promise<Token> {
  const policy = { ...given, maxRetries: 0 }
  return async () => {
    const context = createContext(tokenOperation, tokenOperation.versions[0] as string)
    const request = buildRequest(tokenOperation, form, { baseUrl, headers: [], context })
    try {
      // Bounded all the same: by the time of the attempt, and by the longest pause of the policy.
      const call = { context, policy, totalTimeoutMs: Infinity }
      const { clock } = state
      const { response, text } = await withRetry(call, state, () =>
        attempt(send, request, { clock, timeoutMs }),
      )
      const issuedAt = clock.now()
      // The answer of RFC 6749 §5.1.
      const { access_token, expires_in } = parseRecord(text)
      const accessToken = readString(access_token)
      // The body is not quoted: what is there of it may be half a token.
      if (!accessToken) throw new ParseError(context, response, 'no access token')
      return { accessToken, issuedAt, expiresAt: issuedAt + Number(expires_in ?? 0) * 1000 }
    } catch (error) {
      const refused = error instanceof ApiError && [400, 401, 403].includes(error.status)
      const thrown = refused ? new AuthenticationError(context, error) : error
      // Nobody called this operation, and all who wait for the token get this one error.
      if (thrown instanceof ClientError) thrown.message += ' (for a token)'
      throw thrown
    }
  }
}
