import type { Credentials } from './auth/credentials.ts'
import { chooseChallenge } from './auth/digest-response.ts'
import { type ShowCaller, showCaller } from './caller.ts'
import { ApiError } from './errors.ts'
import { errorResponse } from './response.ts'
import type { BufferedResponse } from './transport-call.ts'

/** Matches the absolute target of the first link with `rel="help"` (RFC 8288 §3). */
const helpLink = /<(https?:[^>]*)>[^<]*;\s*rel="?(?:[^"<]* )?help(?![^",; ])/i

/** Errors that already have details. All calls that wait for a token share the error from the token request. */
const explained = new WeakSet<ApiError>()

/**
 * Returns a function that adds details to an error. The details can be the documentation URL, a redirect target, text
 * from a gateway's page, and the reason for an authentication failure. The function also adds the caller to the error's
 * stack.
 */
export function explain(credentials: Credentials | undefined): ShowCaller {
  return (error, library, operationId) => {
    if (error instanceof ApiError && !explained.has(error)) {
      explained.add(error)
      const received = errorResponse(error)
      if (received) addText(error, received, credentials)
    }
    return showCaller(error, library, operationId)
  }
}

function addText(error: ApiError, { response, text }: BufferedResponse, credentials?: Credentials): void {
  const { headers } = response
  // Remove the parts of the target that may contain credentials.
  const target = headers.get('location')?.replace(/[?#].*|[^/]*@/g, '')
  const shown = error.detail === undefined ? (target ?? readPage(text)) : undefined
  const challenge = explainChallenge(response, credentials)
  const added = [shown, challenge, explainStatus(error, credentials)].map((each) =>
    each ? ` - ${each}` : '',
  )
  Object.assign(error, {
    helpUrl: helpLink.exec(headers.get('link') ?? '')?.[1],
    detail: challenge ?? error.detail ?? shown,
    // Remove control characters, because line breaks and escape sequences from a server could forge lines in a log.
    message: (error.message + added.join('')).replace(/\p{Cc}+/gu, ' '),
  })
}

function explainStatus({ status }: ApiError, credentials: Credentials | undefined): string | undefined {
  if (status === 401 && !credentials) return 'the client has no credentials'
  return status >= 300 && status < 400 && status !== 304
    ? "the client doesn't follow redirects, check baseUrl"
    : undefined
}

function explainChallenge(
  { status, headers }: Response,
  credentials: Credentials | undefined,
): string | undefined {
  const isKey = typeof credentials === 'object' && 'publicKey' in credentials
  const offered = headers.get('www-authenticate') ?? ''
  if (status !== 401 || !isKey || chooseChallenge(offered)) return undefined
  return `expected Digest with MD5 or SHA-256 and qop auth, but was ${offered.slice(0, 500) || 'missing'}`
}

/**
 * Returns the title of an HTML page or the start of other text. JSON is omitted because it may repeat data from the
 * request.
 */
function readPage(text: string): string | undefined {
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]
  const shown = title ?? (/^\s*[<[{"]/.test(text) ? '' : text)
  return shown.replace(/\s+/g, ' ').trim().slice(0, 200) || undefined
}
