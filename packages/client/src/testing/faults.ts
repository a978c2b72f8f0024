import type { Responder } from './stub-fetch.ts'

/** A way in which one request goes wrong. */
export type Fault = Responder

function problem(
  status: number,
  errorCode: string,
  reason: string,
  headers: Record<string, string> = {},
): Fault {
  return () => Response.json({ error: status, errorCode, reason, detail: 'injected' }, { status, headers })
}

/**
 * 429; the value of `Retry-After` is seconds, or a date.
 *
 * @example
 * const waits = withFaults([rateLimited(5), rateLimited('Tue, 18 Nov 2025 12:00:30 GMT')], respond)
 */
export function rateLimited(retryAfter: number | string): Fault {
  return problem(429, 'RATE_LIMITED', 'Too Many Requests', { 'retry-after': String(retryAfter) })
}

/**
 * 503, with `Retry-After` where one is given.
 *
 * @example
 * const works = withFaults([unavailable(), unavailable(2)], respond) // the third request is answered
 */
export function unavailable(retryAfter?: number | string): Fault {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return problem(503, 'UNAVAILABLE', 'Service Unavailable', headers)
}

/**
 * 500.
 *
 * @example
 * const { fetch } = createStubFetch(crashed()) // never anything else
 */
export function crashed(): Fault {
  return problem(500, 'UNEXPECTED_ERROR', 'Internal Server Error')
}

/**
 * 401 with the Digest challenge given, by default one that says the nonce is stale.
 *
 * @example
 * const again = withFaults([undefined, staleNonce()], respond) // the second call authenticates anew
 */
export function staleNonce(nonce = 'fresh', challenge = 'realm="stub", qop="auth", algorithm=MD5'): Fault {
  return problem(401, 'UNAUTHORIZED', 'Unauthorized', {
    'www-authenticate': `Digest ${challenge}, nonce="${nonce}", stale=true`,
  })
}

/**
 * 401 as for an access token that was revoked.
 *
 * @example
 * const refreshed = withFaults([undefined, revokedToken()], respond) // the second call fetches a token
 */
export function revokedToken(): Fault {
  return problem(401, 'UNAUTHORIZED', 'Unauthorized', { 'www-authenticate': 'Bearer error="invalid_token"' })
}

/**
 * The connection is reset before there is an answer.
 *
 * @example
 * const reset = withFaults([connectionReset()], respond) // a GET is sent again, a POST is not
 */
export function connectionReset(): Fault {
  return () =>
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    })
}

/**
 * No answer at all until the request is aborted.
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
 * The head of an answer at once, its body never.
 *
 * @example
 * const { fetch } = createStubFetch(slowBody()) // the time of an attempt includes its body
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
 * A body that breaks off in the middle, with a connection that does.
 *
 * @example
 * const broken = withFaults([brokenBody()], respond) // counts as a connection that failed
 */
export function brokenBody(): Fault {
  const body = (): ReadableStream =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"results":'))
        controller.error(new TypeError('terminated'))
      },
    })
  return () => new Response(body(), { headers: { 'content-type': 'application/json' } })
}

/**
 * A complete answer whose JSON breaks off, as from a proxy that cuts.
 *
 * @example
 * const cut = createStubFetch(truncatedJson('{"results": [')) // a ParseError
 */
export function truncatedJson(text = '{"results": [{"id": "67a1'): Fault {
  return () => new Response(text, { headers: { 'content-type': 'application/json' } })
}

/**
 * 200 with a page of HTML, as from a login portal in between.
 *
 * @example
 * const portal = createStubFetch(htmlPage()) // a ParseError that says text/html
 */
export function htmlPage(): Fault {
  return () =>
    new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } })
}

/**
 * Puts faults in front of a responder: the first request meets the first one, and when all are used up
 * everything is well again. `undefined` lets a request through.
 *
 * @example
 * const stub = createStubFetch(withFaults([rateLimited(1), connectionReset()], respond))
 */
export function withFaults(faults: readonly (Fault | undefined)[], respond: Responder): Responder {
  const left = [...faults]
  return (request) => (left.shift() ?? respond)(request)
}
