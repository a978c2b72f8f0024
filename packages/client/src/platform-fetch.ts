import { NetworkError } from './errors.ts'
import type { Fetch, PlatformFetch } from './fetch.ts'

/** The part of a low-level failure that a `NetworkError` contains. */
export interface FailureCause {
  readonly message: string
  readonly code: string | undefined
}

/**
 * Extracts message and code of a low-level failure. The rest is dropped, because some `fetch` implementations
 * attach the request, with its Authorization header, to the error.
 */
export function describeCause(error: unknown, secret = ''): FailureCause {
  const { message = String(error), code, cause } = Object(error)
  const text = [message, cause?.message].filter(Boolean).join(': ')
  // The scheme isn't secret; what follows it is.
  const credentials = secret.replace(/.*? /, '')
  return {
    message: credentials ? text.replaceAll(credentials, '***') : text,
    code: code ?? cause?.code,
  }
}

/**
 * The innermost `Fetch`. Redirects aren't followed: the API sends none, and following one would send
 * credentials or a Digest `uri` to another address.
 *
 * @throws TypeError for a request that the platform can't create, for example with a header that isn't
 * Latin-1.
 */
export function fromPlatform(fetch: PlatformFetch): Fetch {
  return async ({ method, url, headers, body = null, signal, context }) => {
    const init: RequestInit = { method, headers, body, redirect: 'manual', signal }
    // Without this, browsers ask the user to log in when they receive a challenge. Workers don't have the
    // option, and reject it.
    if ('credentials' in Request.prototype) init.credentials = 'omit'
    try {
      return await fetch(url, init)
    } catch (error) {
      // `fetch` throws the same kind of error for an invalid request, which stays invalid, and for a failed
      // connection.
      try {
        new Request(url, init)
      } catch {
        // The platform's message quotes the header's value, which may be a secret, and not its name.
        throw new TypeError(`${context.operationId}: invalid headers ${Object.keys(headers)}`)
      }
      throw new NetworkError(context, describeCause(error, headers.authorization), url)
    }
  }
}
