import type { ErrorCode } from '#api'
import { errors } from '#tables/errors'
import type { Responder } from './stub-fetch.ts'

/** A failure for one request. */
export type Fault = Responder

/**
 * Returns the error response for a code, with its documented status and detail.
 *
 * @param changes Fields in the body to change, such as `detail`.
 * @example
 * const busy = withFaults([refused('SNAPSHOT_IN_PROGRESS')], respond)
 */
export function refused(
  errorCode: ErrorCode,
  changes: { readonly detail?: string; readonly parameters?: readonly string[] } = {},
  headers: Record<string, string> = {},
): Fault {
  // Without this check, a mistyped code would produce a response without a status.
  if (!Object.hasOwn(errors, errorCode)) {
    throw new TypeError(`unknown error code ${errorCode}: expected ${Object.keys(errors).join(', ')}`)
  }
  const { status, ...fields } = errors[errorCode]
  return () => Response.json({ error: status, errorCode, ...fields, ...changes }, { status, headers })
}

/**
 * Returns a 429 with `Retry-After` in seconds or as a date.
 *
 * @example
 * const waits = withFaults([rateLimited(5), rateLimited('Tue, 18 Nov 2025 12:00:30 GMT')], respond)
 */
export function rateLimited(retryAfter: number | string): Fault {
  return refused(
    'RATE_LIMITED',
    { detail: 'Too many requests were sent.' },
    { 'retry-after': String(retryAfter) },
  )
}

/**
 * Returns a 503, optionally with `Retry-After`.
 *
 * @example
 * const works = withFaults([unavailable(), unavailable(2)], respond) // the third request succeeds
 */
export function unavailable(retryAfter?: number | string): Fault {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return refused('UNAVAILABLE', { detail: 'The server is temporarily unavailable.' }, headers)
}

/**
 * Returns a 500.
 *
 * @example
 * const { fetch } = createStubFetch(crashed()) // every request fails
 */
export function crashed(): Fault {
  return refused('UNEXPECTED_ERROR')
}

/**
 * Returns a 401 with a Digest challenge. By default, the challenge marks the nonce as stale.
 *
 * @example
 * const again = withFaults([undefined, staleNonce()], respond) // the second call authenticates again
 */
export function staleNonce(nonce = 'fresh', challenge = 'realm="stub", qop="auth", algorithm=MD5'): Fault {
  return refused(
    'UNAUTHORIZED',
    {},
    {
      'www-authenticate': `Digest ${challenge}, nonce="${nonce}", stale=true`,
    },
  )
}

/**
 * Returns a 401 for a revoked access token.
 *
 * @example
 * const refreshed = withFaults([undefined, revokedToken()], respond) // the second call fetches a token
 */
export function revokedToken(): Fault {
  return refused('UNAUTHORIZED', {}, { 'www-authenticate': 'Bearer error="invalid_token"' })
}

/**
 * Resets the connection before the response.
 *
 * @example
 * const reset = withFaults([connectionReset()], respond) // a GET is retried, a POST isn't
 */
export function connectionReset(): Fault {
  return () =>
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    })
}

/**
 * Waits without responding until the request is aborted.
 *
 * @example
 * const { fetch } = createStubFetch(hanging())
 * const impatient = createClient({ ...options, fetch, timeoutMs: 100 })
 */
export function hanging(): Fault {
  return ({ signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
}

/**
 * Sends the headers immediately, but not the rest of the body.
 *
 * @example
 * const { fetch } = createStubFetch(slowBody()) // the timeout of an attempt includes its body
 */
export function slowBody(): Fault {
  const body = (): ReadableStream =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"results":'))
      },
    })
  return () => new Response(body(), { headers: { 'content-type': 'application/json' } })
}

/**
 * Breaks the connection while the body is being read.
 *
 * @param status The response's status. For an error status, the client throws an `ApiError`.
 * @example
 * const broken = withFaults([brokenBody()], respond) // counts as a failed connection
 */
export function brokenBody(status = 200): Fault {
  const body = (): ReadableStream =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"results":'))
        controller.error(new TypeError('terminated'))
      },
    })
  return () => new Response(body(), { status, headers: { 'content-type': 'application/json' } })
}

/**
 * Returns a complete response with truncated JSON, as some proxies do.
 *
 * @example
 * const cut = createStubFetch(truncatedJson('{"results": [')) // a ParseError
 */
export function truncatedJson(text = '{"results": [{"id": "67a1'): Fault {
  return () => new Response(text, { headers: { 'content-type': 'application/json' } })
}

/**
 * Returns a 200 with an HTML page, as a login portal does.
 *
 * @example
 * const portal = createStubFetch(htmlPage()) // a ParseError that names text/html
 */
export function htmlPage(): Fault {
  return () =>
    new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } })
}

/**
 * Returns a responder that injects faults. The first request gets the first fault, and so on. After all faults have
 * been used, requests go to the responder. If an item in the list is `undefined`, the corresponding request also goes
 * to the responder.
 *
 * @example
 * const stub = createStubFetch(withFaults([rateLimited(1), connectionReset()], respond))
 */
export function withFaults(faults: readonly (Fault | undefined)[], respond: Responder): Responder {
  const left = [...faults]
  return (request) => (left.shift() ?? respond)(request)
}
