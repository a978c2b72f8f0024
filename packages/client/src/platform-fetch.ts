import { NetworkError } from './errors.ts'
import type { Fetch, PlatformFetch } from './fetch.ts'

/** What a `NetworkError` keeps of the failure below it. */
export interface Described {
  readonly message: string
  readonly code: string | undefined
}

/**
 * Keeps of a low-level failure its message and code. The rest is dropped: some implementations of
 * `fetch` hang the request, with its Authorization header, on the error.
 */
export function describeCause(error: unknown, secret = ''): Described {
  const { message = String(error), code, cause } = Object(error)
  const text: string = cause?.message ? `${message}: ${cause.message}` : String(message)
  // The scheme is no secret, what follows it is.
  const [, credentials] = secret.split(/ (.*)/)
  return {
    message: credentials ? text.replaceAll(credentials, '[redacted]') : text,
    code: code ?? cause?.code,
  }
}

/**
 * A browser that finds a challenge shows its own dialogue and asks the user, unless it is told to leave credentials
 * alone. Where there is no such thing, workers refuse the option.
 */
const hasCredentials = globalThis.Request && 'credentials' in Request.prototype

/**
 * The innermost `Fetch`. Redirects are not followed: the API sends none, and a followed one would carry
 * credentials or a Digest `uri` to a place that they were not made for.
 */
export function fromPlatform(fetch: PlatformFetch): Fetch {
  return async ({ url, method, headers, body = null, signal, context }) => {
    const init: RequestInit = { method, headers, body, signal, redirect: 'manual' }
    if (hasCredentials) init.credentials = 'omit'
    try {
      return await fetch(url, init)
    } catch (error) {
      throw new NetworkError(context, describeCause(error, headers.authorization), url)
    }
  }
}
