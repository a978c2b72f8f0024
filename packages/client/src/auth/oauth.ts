import { drain, type Fetch, withHeaders } from '../fetch.ts'
import type { Token, TokenSource } from './token-source.ts'

/**
 * Sends the access token: RFC 6750 §2.1. A 401 gets one new token and one more attempt; a second one is
 * the answer, because a token that was issued a moment ago is not the reason.
 */
export function withBearer(next: Fetch, tokens: TokenSource): Fetch {
  return async (request) => {
    const token = await tokens.get()
    const send = ({ accessToken }: Token): Promise<Response> => {
      // The wait for a token may have outlived the call.
      request.signal.throwIfAborted()
      return next(withHeaders(request, { authorization: `Bearer ${accessToken}` }))
    }
    const response = await send(token)
    if (response.status !== 401) return response
    await drain(response)
    return send(await tokens.replace(token))
  }
}
