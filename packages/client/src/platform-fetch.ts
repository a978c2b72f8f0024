import { NetworkError } from './errors.ts'
import type { Fetch, PlatformFetch } from './fetch.ts'

/** The part of a low-level failure that is included in a `NetworkError`. */
export interface FailureCause {
  readonly message: string
  readonly code: string | undefined
}

/**
 * Extracts the message and code from a low-level failure. Drops everything else because some `fetch` implementations
 * attach the request, including its `Authorization` header.
 */
export function describeCause(error: unknown, secret = ''): FailureCause {
  const { message = String(error), code, cause } = Object(error)
  // OpenSSL's messages end with a line break.
  const text = [message, cause?.message].filter(Boolean).join(': ').trim()
  // Everything after the authentication scheme is secret.
  const credentials = secret.replace(/.*? /, '')
  return {
    message: credentials ? text.replaceAll(credentials, '***') : text,
    code: code ?? cause?.code,
  }
}

/**
 * Creates the innermost `Fetch`, which doesn't follow redirects. The API never redirects, and following a redirect
 * would send credentials or a Digest `uri` to a different address.
 *
 * @throws TypeError for a request that the platform can't create, for example because a header isn't Latin-1.
 */
export function fromPlatform(fetch: PlatformFetch): Fetch {
  return async ({ method, url, headers, body = null, signal, context }) => {
    const init: RequestInit = { method, headers, body, redirect: 'manual', signal }
    // Without this option, browsers show a login prompt when they receive a challenge.
    // Cloudflare Workers don't support this option and reject it.
    if ('credentials' in Request.prototype) init.credentials = 'omit'
    try {
      return await fetch(url, init)
    } catch (error) {
      // `fetch` throws the same kind of error for a failed connection and for an invalid request.
      // A retry wouldn't fix an invalid request.
      try {
        new Request(url, init)
      } catch {
        // The platform's message quotes the header's value, which may be a secret, but not its name.
        throw new TypeError(`${context.operationId}: invalid headers ${Object.keys(headers)}`)
      }
      throw new NetworkError(context, describeCause(error, headers.authorization), url)
    }
  }
}
