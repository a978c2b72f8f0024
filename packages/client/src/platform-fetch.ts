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
  const text = [message, cause?.message].filter(Boolean).join(': ')
  // The scheme is no secret, what follows it is.
  const credentials = secret.replace(/.*? /, '')
  return {
    message: credentials ? text.replaceAll(credentials, '[redacted]') : text,
    code: code ?? cause?.code,
  }
}

/**
 * The innermost `Fetch`. Redirects are not followed: the API sends none, and a followed one would carry
 * credentials or a Digest `uri` to a place that they were not made for.
 *
 * @throws TypeError for a request that the platform cannot make, as with a header that is no Latin text.
 */
export function fromPlatform(fetch: PlatformFetch): Fetch {
  return async ({ url, method, headers, body = null, signal, context }) => {
    const init: RequestInit = { method, headers, body, redirect: 'manual' }
    // A browser that finds a challenge shows its own dialogue and asks the user, unless it is told to leave credentials
    // alone. Where there is no such thing, workers refuse the option.
    if ('credentials' in Request.prototype) init.credentials = 'omit'
    try {
      return await fetch(url, { ...init, signal })
    } catch (error) {
      // `fetch` says by one kind of error that it cannot send this, which will not pass, and that nobody answered.
      try {
        new Request(url, init)
      } catch {
        // It quotes the value of a header, which may be a secret, and does not name it.
        throw new TypeError(`${context.operationId}: cannot send headers ${Object.keys(headers)}`)
      }
      throw new NetworkError(context, describeCause(error, headers.authorization), url)
    }
  }
}
