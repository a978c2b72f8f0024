import { unusableChallenges } from './auth/unusable-challenges.ts'
import { type ShowCaller, showCaller } from './caller.ts'
import { ApiError } from './errors.ts'
import { errorResponse } from './response.ts'

/** Matches the absolute target of the first link with `rel="help"` (RFC 8288 §3). */
const helpLink = /<(https?:[^>]*)>[^<]*;\s*rel="?(?:[^"<]* )?help(?![^",; ])/i

/**
 * Adds two things to an error: the URL of its documentation, if the response contains one, and the reason why Digest
 * wasn't possible. Also makes the error's stack show the caller.
 */
export const explain: ShowCaller = (error, library, operationId) => {
  const response = error instanceof ApiError ? errorResponse(error)?.response : undefined
  if (response) {
    const link = response.headers.get('link') ?? ''
    Object.assign(error as ApiError, { helpUrl: helpLink.exec(link)?.[1] })
    if (unusableChallenges.has(response)) {
      const offered = response.headers.get('www-authenticate')?.slice(0, 500) ?? 'missing'
      const detail = `expected Digest with MD5 or SHA-256 and qop auth, but was ${offered}`
      Object.assign(error as ApiError, { detail, message: `${(error as ApiError).message} - ${detail}` })
    }
  }
  return showCaller(error, library, operationId)
}
