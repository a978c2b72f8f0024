import { drain, type Fetch, withHeaders } from '../fetch.ts'
import type { Token, TokenSource } from './token-source.ts'

/**
 * Sends the access token (RFC 6750 §2.1). After a 401, retries once with a new token. A second 401 is
 * returned to the caller because a third token wouldn't help.
 */
export function withBearer(next: Fetch, tokens: TokenSource): Fetch {
  return async (request) => {
    const token = await tokens.get()
    const send = ({ accessToken }: Token): Promise<Response> => {
      // The call may have been aborted while waiting for a token.
      request.signal.throwIfAborted()
      return next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
    }
    const response = await send(token)
    if (response.status !== 401) return response
    await drain(response)
    return send(await tokens.replace(token))
  }
}
